import { LinkButton } from '../../../ui/controls/Button';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  resendInvitationMutation,
  revokeInvitationMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Invitation } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useTeam } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { roleName } from '../../../api/roles';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { useToast } from '../../../ui/feedback/toasts';
import { Panel } from '../../../ui/layout/Panel';
import { invitationsOptions } from './queries';
import { resendProblem } from './roleChange';
import { inviteHref } from './search';

const columns: Column<Invitation>[] = [
  { id: 'email', header: 'Invited', cell: ({ email }) => <span title={email}>{email}</span> },
  { id: 'role', header: 'Role', width: 100, phone: 'end', cell: ({ role }) => roleName(role) },
  {
    id: 'by',
    header: 'Invited by',
    width: 140,
    priority: 2,
    phone: 'meta',
    cell: ({ invited_by }) => <span title={invited_by}>{invited_by}</span>,
  },
  {
    id: 'sent',
    header: 'Sent',
    width: 108,
    priority: 2,
    phone: 'hide',
    cell: ({ sent_at }) => <RelativeTime at={sent_at} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 108,
    phone: 'meta',
    cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
  },
];

/** Lists invitations that haven't been accepted or declined. */
export function InvitationsPanel({ teamSlug }: { teamSlug: string }) {
  const team = useTeam(teamSlug);
  const list = useInfiniteQuery(invitationsOptions(teamSlug));
  const invitations = list.data?.pages.flatMap((page) => page.data);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const resend = useResend(teamSlug);
  return (
    <Panel title="Pending invitations">
      <DataTable
        id="invitations"
        noun={['invitation', 'invitations']}
        columns={columns}
        rows={invitations}
        more={{ list, label: 'Show more' }}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        rowActions={(invitation) => {
          const fault = resendProblem(invitation, team.role);
          return [
            {
              id: 'resend',
              label: 'Resend',
              ...(fault === null ? {} : { disabledReason: fault }),
              onSelect: () => resend(invitation),
            },
            { id: 'revoke', label: 'Revoke', danger: true, onSelect: () => setRevoking(invitation) },
          ];
        }}
        skeletonRows={2}
        problem={problemOf(
          invitations ? null : list.error,
          'Couldn’t load the invitations',
          () => void list.refetch(),
        )}
        empty={
          <EmptyState
            picture="members"
            action={<LinkButton href={inviteHref(teamSlug)}>Invite member</LinkButton>}
          >
            No pending invitations.
          </EmptyState>
        }
      />
      {revoking && <Revoke teamSlug={teamSlug} invitation={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function useResend(slug: string): (invitation: Invitation) => void {
  const stale = useStale();
  const toast = useToast();
  const { mutate } = useMutation({
    ...resendInvitationMutation(),
    onSuccess: async ({ email }) => {
      toast({
        tone: 'ok',
        title: `Invitation resent to ${email}`,
        message: 'The earlier link no longer works.',
      });
      await stale('listInvitations');
    },
    onError: (error) => {
      const problem = problemOf(error, 'Couldn’t resend the invitation');
      if (problem) toast({ tone: 'error', title: problem.title, message: problem.message });
    },
  });
  return ({ id }) => mutate({ path: { slug, invitation_id: id } });
}

interface RevokeProps {
  teamSlug: string;
  invitation: Invitation;
  onClose: () => void;
}

function Revoke({ teamSlug: slug, invitation, onClose }: RevokeProps) {
  const stale = useStale();
  const revoke = useMutation({
    ...revokeInvitationMutation(),
    onSuccess: async () => {
      await stale('listInvitations');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Revoke the invitation for ${invitation.email}?`}
      effects={['The link in the invitation stops working.']}
      confirmLabel="Revoke"
      pending={revoke.isPending}
      problem={problemOf(revoke.error, 'Couldn’t revoke the invitation')}
      onConfirm={() => revoke.mutate({ path: { slug, invitation_id: invitation.id } })}
      onClose={onClose}
    />
  );
}
