import { ActionButton } from '../../../console/ui/controls/ActionButton';
import styled from '@emotion/styled';
import { useState, type FormEvent } from 'react';
import type { AdminChat } from '../../../generated/api/types.gen';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PasswordInput } from '../../../console/ui/forms/PasswordInput';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import { useSingleFlight } from '../../../console/ui/useSingleFlight';
import { problemOf } from '../../http';
import { useChatChange } from './api';

const Parts = styled('div')({ display: 'grid', gap: space(5), minWidth: 0 });
const Form = styled('form')({
  display: 'grid',
  gap: space(4),
  maxWidth: 520,
  justifyItems: 'start',
});
const Wide = styled('div')({ width: '100%' });

interface Props {
  chat: AdminChat;
  service: string;
  /** Why the user can't change it. */
  refused: string | undefined;
}

export function Token({ chat, service, refused }: Props) {
  const [token, setToken] = useState('');
  const [tried, setTried] = useState(false);
  const [removing, setRemoving] = useState(false);
  const save = useChatChange();
  const send = useSingleFlight(save.mutate);
  const remove = useChatChange();
  const isMissing = token.trim() === '';
  const problem = save.error ? problemOf(save.error, 'Couldn’t save the token') : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (save.isPending || isMissing) return;
    send(
      { method: 'PUT', path: '/token', body: { token: token.trim() } },
      {
        onSuccess: () => {
          setToken('');
          setTried(false);
        },
      },
    );
  };
  return (
    <Panel title="Bot" framed>
      <Parts>
        {chat.last_error !== null && (
          <Notice tone="error" title="Last error">
            {chat.last_error}
          </Notice>
        )}
        {chat.bot && (
          <KeyValue
            facts={[
              { label: 'Bot', value: `@${chat.bot.username} (${chat.bot.name})` },
              {
                label: 'Last response',
                value: chat.last_asked_at === null ? '—' : <RelativeTime at={chat.last_asked_at} />,
              },
              { label: 'Open alerts', value: String(chat.open_alerts) },
            ]}
          />
        )}
        <Form onSubmit={submit}>
          <Wide>
            <PasswordInput
              label={chat.bot ? 'New token' : 'Token'}
              help={`Issued by ${service} for your bot. Stored encrypted and never shown again.`}
              autoComplete="off"
              value={token}
              disabled={refused !== undefined}
              onChange={(event) => setToken(event.target.value)}
              error={
                tried && isMissing
                  ? 'Enter the token.'
                  : problem
                    ? [problem.message, ...(problem.suggestions ?? [])].join(' ')
                    : undefined
              }
            />
          </Wide>
          <span>
            <ActionButton
              type="submit"
              variant="contained"
              reason={refused}
              pending={save.isPending}
              isRefused={save.isError}
            >
              Check and save
            </ActionButton>{' '}
            {chat.bot && (
              <ActionButton reason={refused} onClick={() => setRemoving(true)}>
                Remove token…
              </ActionButton>
            )}
          </span>
        </Form>
      </Parts>
      <ConfirmDialog
        open={removing}
        title={`Remove the token of @${chat.bot?.username ?? ''}?`}
        effects={['Alerts stop until you add a token again.', 'Chats stay linked.']}
        confirmLabel="Remove token"
        danger
        pending={remove.isPending}
        problem={remove.error ? problemOf(remove.error, 'Couldn’t remove the token') : null}
        onConfirm={() =>
          remove.mutate({ method: 'DELETE', path: '/token' }, { onSuccess: () => setRemoving(false) })
        }
        onClose={() => {
          setRemoving(false);
          remove.reset();
        }}
      />
    </Panel>
  );
}
