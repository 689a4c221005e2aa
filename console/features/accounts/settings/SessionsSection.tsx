import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteAccountSessionMutation,
  deleteOtherSessionsMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { AccountSession } from '../../../../generated/api/types.gen';
import { loadProblem, problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { useToast } from '../../../ui/feedback/toasts';
import { KeepFocus } from '../../../ui/KeepFocus';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { sessionsOptions } from './queries';
import { counted } from '../../../lib/texts/count';

const Device = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
  minWidth: 0,
  maxWidth: '100%',
});
const Name = styled('span')({ overflow: 'hidden', textOverflow: 'ellipsis' });
const Ip = styled('span')({ ...type.mono, color: color.muted });

const ways: Record<AccountSession['auth_method'], string> = {
  password: 'password',
  passkey: 'passkey',
  sso: 'single sign-on',
  staff_sso: 'staff single sign-on',
  break_glass: 'break-glass link',
  registration: 'registration',
  invitation: 'invitation',
};

const columns: Column<AccountSession>[] = [
  {
    id: 'device',
    header: 'Device',
    cell: ({ device, current }) => (
      <Device>
        <Name title={device}>{device}</Name>
        {current && (
          <ToneChip tone="ok" glyph="check">
            This session
          </ToneChip>
        )}
      </Device>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    width: 112,
    phone: 'end',
    cell: ({ current, last_seen_at }) => (current ? 'now' : <RelativeTime at={last_seen_at} />),
  },
  {
    id: 'place',
    header: 'Location',
    width: 140,
    phone: 'meta',
    cell: ({ place }) => <span title={place}>{place}</span>,
  },
  {
    id: 'ip',
    header: 'IP address',
    width: 140,
    priority: 2,
    phone: 'meta',
    cell: ({ ip }) => (ip === null ? '—' : <Ip>{ip}</Ip>),
  },
  {
    id: 'way',
    header: 'Sign-in method',
    width: 204,
    priority: 2,
    phone: 'meta',
    cell: ({ auth_method, second_factor }) =>
      `${ways[auth_method]}${second_factor && auth_method !== 'passkey' ? ' + second factor' : ''}`,
  },
  {
    id: 'since',
    header: 'Signed in',
    width: 112,
    priority: 3,
    phone: 'hide',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

/** The account's sessions. Ending one takes effect with its next request. */
export function SessionsSection() {
  const { data, error, refetch } = useQuery(sessionsOptions());
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null);
  const others = data?.filter(({ current }) => !current).length ?? 0;
  const close = () => setEnding(null);
  return (
    <Panel title="Active sessions" untitled>
      <KeepFocus>
        <DataTable
          id="sessions"
          noun={['session', 'sessions']}
          columns={columns}
          rows={data}
          rowId={({ id }) => id}
          rowName={({ device }) => device}
          tools={
            others > 0 && (
              <Button size="small" tone="danger" onClick={() => setEnding('others')}>
                Sign out everywhere else
              </Button>
            )
          }
          rowActions={(session) => [
            {
              id: 'end',
              label: 'Sign out',
              danger: true,
              ...(session.current
                ? { disabledReason: 'This is your current session. Sign out from the account menu.' }
                : {}),
              onSelect: () => setEnding(session),
            },
          ]}
          skeletonRows={3}
          problem={loadProblem({ data, error, refetch }, 'Couldn’t load your sessions')}
          empty={<EmptyState>No active sessions.</EmptyState>}
        />
        {ending === 'others' && <EndOthers count={others} onClose={close} />}
        {ending !== null && ending !== 'others' && <EndOne session={ending} onClose={close} />}
      </KeepFocus>
    </Panel>
  );
}

function EndOne({ session, onClose }: { session: AccountSession; onClose: () => void }) {
  const stale = useStale();
  const end = useMutation({
    ...deleteAccountSessionMutation(),
    onSuccess: async () => {
      await stale('listAccountSessions');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Sign out ${session.device}?`}
      confirmLabel="Sign out"
      pending={end.isPending}
      problem={problemOf(end.error, 'Couldn’t sign out the session')}
      onConfirm={() => end.mutate({ path: { session_id: session.id } })}
      onClose={onClose}
    >
      {session.place}
      {session.ip === null ? '' : `, ${session.ip}`}. Takes effect with its next request. If you don’t
      recognize this session, change your password too.
    </ConfirmDialog>
  );
}

function EndOthers({ count, onClose }: { count: number; onClose: () => void }) {
  const stale = useStale();
  const toast = useToast();
  const end = useMutation({
    ...deleteOtherSessionsMutation(),
    onSuccess: async ({ ended }) => {
      await stale('listAccountSessions');
      toast({ tone: 'ok', title: `${counted(ended, ['session', 'sessions'])} ended` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Sign out everywhere else?"
      effects={[
        `${count} other ${count === 1 ? 'session ends' : 'sessions end'}. You stay signed in here.`,
        'API tokens and command-line logins keep working. Revoke them on your teams’ token pages.',
      ]}
      confirmLabel="Sign out everywhere else"
      pending={end.isPending}
      problem={problemOf(end.error, 'Couldn’t sign out the other sessions')}
      onConfirm={() => end.mutate({})}
      onClose={onClose}
    />
  );
}
