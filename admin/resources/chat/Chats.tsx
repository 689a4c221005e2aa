import { ActionButton } from '../../../console/ui/controls/ActionButton';
import { useState } from 'react';
import type { AdminChat, AdminChatCode, AdminChatLink } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { Notice } from '../../../console/ui/feedback/Notice';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { useToast } from '../../../console/ui/feedback/toasts';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { choiceLabel } from '../../schema/value';
import { useChatChange } from './api';
import { ChatSettings } from './ChatSettings';
import { counted } from '../../../console/lib/texts/count';

const columns: Column<AdminChatLink>[] = [
  { id: 'title', header: 'Chat', cell: ({ title }) => title },
  {
    id: 'state',
    header: 'State',
    width: 112,
    cell: ({ state }) => <StatusChip quiet status={state} />,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 96,
    priority: 2,
    cell: ({ kind }) => choiceLabel(kind),
  },
  {
    id: 'alerts',
    header: 'Alerts',
    width: 160,
    cell: ({ alerts, min_severity }) =>
      `${counted(alerts.length, ['kind', 'kinds'])}${min_severity === 'critical' ? ', critical only' : ''}`,
  },
  {
    id: 'linked_at',
    header: 'Linked',
    width: 128,
    priority: 2,
    cell: ({ linked_at }) => <RelativeTime at={linked_at} />,
  },
  {
    id: 'linked_by',
    header: 'Linked by',
    width: 128,
    priority: 3,
    cell: ({ linked_by }) => linked_by ?? '—',
  },
  {
    id: 'last_error',
    header: 'Last error',
    priority: 3,
    cell: ({ last_error }) => last_error ?? '—',
  },
];

export function Chats({ chat, refused }: { chat: AdminChat; refused: string | undefined }) {
  const [editing, setEditing] = useState<AdminChatLink | null>(null);
  const [unlinking, setUnlinking] = useState<AdminChatLink | null>(null);
  const code = useChatChange<AdminChatCode>();
  const unlink = useChatChange();
  const test = useChatChange();
  const toast = useToast();
  const disabled = refused === undefined ? {} : { disabledReason: refused };
  const sendTest = (link: AdminChatLink) =>
    test.mutate(
      { method: 'POST', path: `/chats/${link.id}/test` },
      {
        onSuccess: () => toast({ tone: 'ok', title: `Test message sent to ${link.title}` }),
        onError: (error) =>
          toast({
            tone: 'error',
            title: 'Couldn’t send a test message',
            message: problemOf(error, '').message,
          }),
      },
    );
  return (
    <Panel
      title="Linked chats"
      actions={
        <ActionButton
          reason={refused ?? (chat.bot ? undefined : 'Set the bot token first.')}
          pending={code.isPending}
          onClick={() => code.mutate({ method: 'POST', path: '/codes' })}
        >
          Link chat
        </ActionButton>
      }
    >
      {code.data && (
        <Notice tone="progress" title="Send this to the bot within ten minutes:" onDismiss={code.reset}>
          <CopyId id={`/link ${code.data.link_code}`} what="command" most={40} /> to @{code.data.bot_username}
          , in the chat that should receive alerts. Single-use.
        </Notice>
      )}
      {code.error && (
        <Notice tone="error" title="Couldn’t create a code">
          {problemOf(code.error, '').message}
        </Notice>
      )}
      <DataTable<AdminChatLink>
        id="admin-chats"
        label="Linked chats"
        noun={['linked chat', 'linked chats']}
        columns={columns}
        rows={chat.chats}
        rowId={({ id }) => String(id)}
        rowName={({ title }) => title}
        rowActions={(link) => [
          {
            id: 'settings',
            label: 'Alerts and quiet hours…',
            onSelect: () => setEditing(link),
            ...disabled,
          },
          {
            id: 'test',
            label: 'Send test message',
            onSelect: () => sendTest(link),
            ...(chat.bot ? {} : { disabledReason: 'Set the bot token first.' }),
            ...disabled,
          },
          {
            id: 'unlink',
            label: 'Unlink…',
            danger: true,
            onSelect: () => setUnlinking(link),
            ...disabled,
          },
        ]}
        empty={
          <EmptyState picture="notifications" title="No linked chats">
            Create a code and send it to the bot in the chat that should receive alerts.
          </EmptyState>
        }
      />
      {editing && <ChatSettings link={editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={unlinking !== null}
        title={`Unlink ${unlinking?.title ?? ''}?`}
        effects={['It receives no more alerts, and the bot ignores its commands.']}
        confirmLabel="Unlink"
        danger
        pending={unlink.isPending}
        problem={unlink.error ? problemOf(unlink.error, 'Couldn’t unlink the chat') : null}
        onConfirm={() =>
          unlink.mutate(
            { method: 'DELETE', path: `/chats/${unlinking?.id ?? 0}` },
            { onSuccess: () => setUnlinking(null) },
          )
        }
        onClose={() => {
          setUnlinking(null);
          unlink.reset();
        }}
      />
    </Panel>
  );
}
