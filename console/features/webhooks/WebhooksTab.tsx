import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { CreateWebhookDialog } from './CreateWebhookDialog';
import { webhooksHref, type WebhooksSearch } from './search';
import { WebhookDetail } from './WebhookDetail';
import { WebhooksList } from './WebhooksList';

interface Props {
  teamSlug: string;
  /** The parsed address, from `webhooksSearch`. */
  search: WebhooksSearch;
}

/** The team's webhooks. */
export function WebhooksTab({ teamSlug, search }: Props) {
  const may = useMay('webhooks.read', teamSlug);
  const navigate = useNavigate();
  if (!may.allowed)
    return (
      <Panel title="Webhooks" untitled>
        <EmptyState picture="access" title="Admins and owners only">
          {may.reason}
        </EmptyState>
      </Panel>
    );
  if (search.webhook !== undefined)
    return <WebhookDetail teamSlug={teamSlug} webhookId={search.webhook} search={search} />;
  return (
    <>
      <WebhooksList teamSlug={teamSlug} />
      {search.new === true && (
        <CreateWebhookDialog
          teamSlug={teamSlug}
          onClose={() => void navigate({ href: webhooksHref(teamSlug), replace: true })}
          onDone={({ id }) => void navigate({ href: webhooksHref(teamSlug, { webhook: id }), replace: true })}
        />
      )}
    </>
  );
}
