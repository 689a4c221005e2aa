import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState, type FormEvent } from 'react';
import type { AdminChat } from '../../../generated/api/types.gen';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PasswordInput } from '../../../console/ui/forms/PasswordInput';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import { problemOf } from '../../http';
import { useChatChange } from './api';

const Form = styled('form')({ display: 'grid', gap: space(4), maxWidth: 520, justifyItems: 'start' });
const Wide = styled('div')({ width: '100%' });

interface Props {
  chat: AdminChat;
  service: string;
  mayWrite: boolean;
}

export function Token({ chat, service, mayWrite }: Props) {
  const [token, setToken] = useState('');
  const [removing, setRemoving] = useState(false);
  const save = useChatChange();
  const remove = useChatChange();
  const problem = save.error ? problemOf(save.error, 'The token was not kept') : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { method: 'PUT', path: '/token', body: { token: token.trim() } },
      { onSuccess: () => setToken('') },
    );
  };
  return (
    <Panel title="Bot" framed>
      {chat.last_error !== null && (
        <Notice tone="error" title={`${service} refuses.`}>
          {chat.last_error}
        </Notice>
      )}
      {chat.bot && (
        <KeyValue
          facts={[
            { label: 'Bot', value: `@${chat.bot.username} (${chat.bot.name})` },
            {
              label: 'Last answer',
              value: chat.last_asked_at === null ? '—' : <RelativeTime at={chat.last_asked_at} />,
            },
            { label: 'Open alerts', value: String(chat.open_alerts) },
          ]}
        />
      )}
      <Form onSubmit={submit}>
        <Wide>
          <PasswordInput
            label={chat.bot ? 'Another token' : 'Token'}
            help={`${service} gives it when a bot is made. It is kept sealed and never shown again.`}
            autoComplete="off"
            value={token}
            disabled={!mayWrite}
            onChange={(event) => setToken(event.target.value)}
            error={problem ? [problem.message, ...(problem.suggestions ?? [])].join(' ') : undefined}
          />
        </Wide>
        <span>
          <Button
            type="submit"
            variant="contained"
            disabled={!mayWrite || token.trim() === '' || save.isPending}
            {...(mayWrite ? {} : { title: 'Only platform admins may change this.' })}
          >
            Check and save
          </Button>{' '}
          {chat.bot && (
            <Button color="inherit" disabled={!mayWrite} onClick={() => setRemoving(true)}>
              Remove the token…
            </Button>
          )}
        </span>
      </Form>
      <ConfirmDialog
        open={removing}
        title={`Switch @${chat.bot?.username ?? ''} off?`}
        effects={['Chats are told nothing until there is a token again.', 'They stay linked.']}
        confirmLabel="Remove the token"
        danger
        pending={remove.isPending}
        problem={remove.error ? problemOf(remove.error, 'The token was not removed') : null}
        onConfirm={() =>
          remove.mutate({ method: 'DELETE', path: '/token' }, { onSuccess: () => setRemoving(false) })
        }
        onClose={() => setRemoving(false)}
      />
    </Panel>
  );
}
