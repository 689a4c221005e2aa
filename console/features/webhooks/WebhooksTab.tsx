import LockOutlined from '@mui/icons-material/LockOutlined';
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
  /** What the address says; read with `webhooksSearch`. */
  search: WebhooksSearch;
}

/** Programs of the team that are told what happens to its CVMs. */
export function WebhooksTab({ teamSlug, search }: Props) {
  const may = useMay('webhooks.read', teamSlug);
  const navigate = useNavigate();
  if (!may.allowed)
    return (
      <Panel title="Webhooks">
        <EmptyState icon={<LockOutlined fontSize="inherit" />} title="For admins and owners">
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
