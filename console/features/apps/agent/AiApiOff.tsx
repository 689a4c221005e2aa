import { aiHref } from '../../../lib/ai/addresses';
import { AI_API_OFF } from '../../../lib/ai/apiOff';
import { Notice } from '../../../ui/feedback/Notice';
import { TextLink } from '../../../ui/link';

/** Says that an agent gets no answers from this platform's models while its team's AI API is off. */
export function AiApiOff({ teamSlug }: { teamSlug: string }) {
  return (
    <Notice tone="attention" title={AI_API_OFF}>
      The agent gets no answers from these models until an owner or admin turns it on under{' '}
      <TextLink href={aiHref({ team: teamSlug })}>Confidential AI</TextLink>.
    </Notice>
  );
}
