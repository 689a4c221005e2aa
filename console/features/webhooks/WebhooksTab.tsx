import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { KeepFocus } from '../../ui/KeepFocus';
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
  const { webhook } = search;
  return (
    <>
      {webhook === undefined && <WebhooksList teamSlug={teamSlug} />}
      <KeepFocus>
        {webhook !== undefined && <WebhookDetail teamSlug={teamSlug} webhookId={webhook} search={search} />}
      </KeepFocus>
      {webhook === undefined && search.new === true && (
        <CreateWebhookDialog
          teamSlug={teamSlug}
          onClose={() => void navigate({ href: webhooksHref(teamSlug), replace: true })}
          onDone={({ id }) => void navigate({ href: webhooksHref(teamSlug, { webhook: id }), replace: true })}
        />
      )}
    </>
  );
}
