import { endInvitation, findInvitation } from '../../../db/teams/invitations';
import type { InvitationRow } from '../../../db/teams/invitationsTable';
import { Problem } from '../../../domain/core/problem';
import { holdTeam } from '../../core/caller';
import type { Handler } from '../../types';

export const noSuchInvitation = () =>
  new Problem('NOT_FOUND', { message: 'Invitation not found in this team.' });

/** @param state null if it changed concurrently */
export const answeredAlready = (state: InvitationRow['state'] | null) =>
  new Problem('CONFLICT', {
    message: state === null ? 'The invitation was just answered.' : `The invitation was already ${state}.`,
  });

export const revokeInvitation: Handler<'revokeInvitation'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.members');
    const invitation = await findInvitation(trx, team.id, path.invitation_id);
    if (!invitation) throw noSuchInvitation();
    if (!(await endInvitation(trx, invitation.id, { state: 'revoked' })))
      throw answeredAlready(invitation.state);
    await audit({
      action: 'invitation.revoke',
      target_kind: 'invitation',
      target_id: invitation.public_id,
      before: { email: invitation.email, role: invitation.role },
    });
    return { status: 204 } as const;
  });
