import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import SendOutlined from '@mui/icons-material/SendOutlined';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { testWebhookMutation, updateWebhookMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { useStale } from '../../api/useStale';
import { Spinner } from '../../ui/controls/Spinner';
import { LinkButton } from '../../ui/controls/LinkButton';
import { OverflowMenu } from '../../ui/controls/MenuButton';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { Panel } from '../../ui/layout/Panel';
import { space } from '../../ui/theme';
import { Deliveries } from './Deliveries';
import { webhookOptions } from './queries';
import { webhooksHref, type WebhooksSearch } from './search';
import { RevealSecret, RotateSecret } from './SecretDialogs';
import { WebhookFacts } from './WebhookFacts';
import { DeleteWebhook, EditWebhook } from './WebhookDialogs';
import { hostOf } from './words';

const Back = styled('div')({ marginBottom: space(3) });
const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

interface Props {
  teamSlug: string;
  webhookId: string;
  search: WebhooksSearch;
}

export function WebhookDetail({ teamSlug, webhookId, search }: Props) {
  const { data, error, refetch } = useQuery(webhookOptions(teamSlug, webhookId));
  const back = (
    <Back>
      <LinkButton size="small" startIcon={<ArrowBackRounded />} href={webhooksHref(teamSlug)}>
        All webhooks
      </LinkButton>
    </Back>
  );
  if (data)
    return (
      <>
        {back}
        <Shown teamSlug={teamSlug} webhook={data} />
        <Deliveries teamSlug={teamSlug} webhook={data} search={search} />
      </>
    );
  const problem = problemOf(error, 'The webhook could not be read', () => void refetch());
  return (
    <>
      {back}
      {isApiError(error, 404) ? (
        <EmptyState title="There is no such webhook">It was deleted, or belongs to another team.</EmptyState>
      ) : problem ? (
        <ErrorNotice problem={problem} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </>
  );
}

type Opened = 'edit' | 'reveal' | 'rotate' | 'delete' | null;

function Shown({ teamSlug, webhook }: { teamSlug: string; webhook: Webhook }) {
  const [opened, setOpened] = useState<Opened>(null);
  const { user } = useSession();
  const stale = useStale();
  const navigate = useNavigate();
  const at = { ...inTeam(teamSlug), path: { webhook_id: webhook.id } };
  const test = useMutation({
    ...testWebhookMutation(),
    onSuccess: async ({ event_id }) => {
      await stale('listWebhookDeliveries');
      void navigate({
        href: webhooksHref(teamSlug, { webhook: webhook.id, delivery: event_id }),
        resetScroll: false,
      });
    },
  });
  const flip = useMutation({
    ...updateWebhookMutation(),
    onSuccess: () => stale('listWebhooks', 'getWebhook', 'listWebhookDeliveries'),
  });
  const problem =
    problemOf(test.error, 'The test was not sent') ?? problemOf(flip.error, 'It was not switched');
  const factor =
    user?.second_factor === true ? {} : { disabledReason: 'Needs a second factor: see Account settings' };
  const close = () => setOpened(null);
  const dialog = { teamSlug, webhook, onClose: close };
  return (
    <Panel
      title={webhook.name ?? hostOf(webhook.url)}
      actions={
        <>
          <Button
            size="small"
            startIcon={test.isPending ? <Spinner /> : <SendOutlined />}
            disabled={test.isPending}
            onClick={() => test.mutate({ ...at, body: {} })}
          >
            Send a test
          </Button>
          <OverflowMenu
            label="More actions"
            entries={[
              { id: 'edit', label: 'Change', onSelect: () => setOpened('edit') },
              { id: 'reveal', label: 'Show the secret', ...factor, onSelect: () => setOpened('reveal') },
              { id: 'rotate', label: 'Replace the secret', ...factor, onSelect: () => setOpened('rotate') },
              { id: 'rule', rule: true },
              { id: 'delete', label: 'Delete', danger: true, onSelect: () => setOpened('delete') },
            ]}
          />
        </>
      }
    >
      <Stack>
        <Trouble webhook={webhook} />
        {problem && <ErrorNotice problem={problem} />}
        <SwitchInput
          label="Send events to it"
          checked={flip.isPending ? flip.variables.body?.enabled === true : webhook.enabled}
          disabled={flip.isPending}
          help={webhook.enabled ? undefined : 'Switched off: what happens now is not sent later.'}
          onChange={(event) => flip.mutate({ ...at, body: { enabled: event.target.checked } })}
        />
        <WebhookFacts teamSlug={teamSlug} webhook={webhook} />
      </Stack>
      {opened === 'edit' && <EditWebhook {...dialog} />}
      {opened === 'reveal' && <RevealSecret {...dialog} />}
      {opened === 'rotate' && <RotateSecret {...dialog} />}
      {opened === 'delete' && (
        <DeleteWebhook
          {...dialog}
          onDeleted={() => void navigate({ href: webhooksHref(teamSlug), replace: true })}
        />
      )}
    </Panel>
  );
}

function Trouble({ webhook }: { webhook: Webhook }) {
  if (webhook.disabled_reason === 'failures')
    return (
      <Notice tone="error" title="It was switched off after it took nothing for days.">
        Put the receiver right, send a test, then switch it on again. What happened in between is not sent.
      </Notice>
    );
  if (webhook.failing_since !== null)
    return (
      <Notice tone="attention" title="Deliveries fail.">
        The first one that failed for good did so <RelativeTime at={webhook.failing_since} />. After three
        days without a success the webhook is switched off.
      </Notice>
    );
  return null;
}
