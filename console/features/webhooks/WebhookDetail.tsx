import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import SendIcon from 'lucide-react/icons/send';
import { Button, LinkButton } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { testWebhookMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { updateWebhook } from '../../../generated/api/sdk.gen';
import type { Webhook } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { useStale } from '../../api/useStale';
import { sendIfUnchanged } from '../../api/versions';
import { Spinner } from '../../ui/controls/Spinner';
import { OverflowMenu } from '../../ui/controls/MenuButton';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { SwitchInput } from '../../ui/forms/SwitchInput';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { space } from '../../ui/theme';
import { Deliveries } from './Deliveries';
import { webhookOptions } from './queries';
import { webhooksHref, type WebhooksSearch } from './search';
import { RevealSecret, RotateSecret } from './SecretDialogs';
import { WebhookFacts } from './WebhookFacts';
import { DeleteWebhook, EditWebhook } from './WebhookDialogs';
import { hostOf, isChat } from './texts';

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
      <LinkButton size="small" startIcon={<ArrowLeftIcon />} href={webhooksHref(teamSlug)}>
        All webhooks
      </LinkButton>
    </Back>
  );
  if (data)
    return (
      <>
        {back}
        <Sections>
          <Shown teamSlug={teamSlug} webhook={data} />
          <Deliveries teamSlug={teamSlug} webhook={data} search={search} />
        </Sections>
      </>
    );
  const problem = problemOf(error, 'Couldn’t load the webhook', () => void refetch());
  return (
    <>
      {back}
      {isApiError(error, 404) ? (
        <EmptyState picture="search" title="Webhook not found">
          It was deleted or belongs to another team.
        </EmptyState>
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
  const toggle = useMutation({
    mutationFn: (enabled: boolean) =>
      sendIfUnchanged(webhook.etag, ['enabled'], (version) =>
        updateWebhook({
          headers: { ...at.headers, ...version },
          path: at.path,
          body: { enabled },
          throwOnError: true,
        }),
      ),
    onSettled: () => stale('listWebhooks', 'getWebhook', 'listWebhookDeliveries'),
  });
  const problem =
    problemOf(test.error, 'Couldn’t send the test') ?? problemOf(toggle.error, 'Couldn’t change the webhook');
  const factor =
    user?.second_factor === true
      ? {}
      : { disabledReason: 'Set up a second factor in your account settings first' };
  const close = () => setOpened(null);
  const dialog = { teamSlug, webhook, onClose: close };
  return (
    <Panel
      title={webhook.name ?? hostOf(webhook.url)}
      actions={
        <>
          <Button
            size="small"
            startIcon={test.isPending ? <Spinner /> : <SendIcon />}
            disabled={test.isPending}
            onClick={() => test.mutate({ ...at, body: {} })}
          >
            Send test
          </Button>
          <OverflowMenu
            label="More actions"
            entries={[
              { id: 'edit', label: 'Edit', onSelect: () => setOpened('edit') },
              ...(isChat(webhook.format)
                ? []
                : [
                    { id: 'reveal', label: 'Show secret', ...factor, onSelect: () => setOpened('reveal') },
                    { id: 'rotate', label: 'Rotate secret', ...factor, onSelect: () => setOpened('rotate') },
                  ]),
              { id: 'rule', rule: true },
              { id: 'delete', label: 'Delete', danger: true, onSelect: () => setOpened('delete') },
            ]}
          />
        </>
      }
    >
      <Stack>
        <FailureNotice webhook={webhook} />
        {problem && <ErrorNotice problem={problem} />}
        <SwitchInput
          label="Enabled"
          checked={toggle.isPending ? toggle.variables : webhook.enabled}
          pending={toggle.isPending}
          help={
            webhook.enabled
              ? undefined
              : 'Events that happen while the webhook is disabled aren’t sent later.'
          }
          onChange={(event) => toggle.mutate(event.target.checked)}
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

function FailureNotice({ webhook }: { webhook: Webhook }) {
  if (webhook.disabled_reason === 'failures')
    return (
      <Notice tone="error" title="Disabled after three days of failed deliveries.">
        Fix the receiver, send a test, then enable the webhook. Events in between are not sent.
      </Notice>
    );
  if (webhook.failing_since !== null)
    return (
      <Notice tone="attention" title="Deliveries are failing.">
        Failing since <RelativeTime at={webhook.failing_since} inWords />. After three days without a
        successful delivery, the webhook is disabled.
      </Notice>
    );
  return null;
}
