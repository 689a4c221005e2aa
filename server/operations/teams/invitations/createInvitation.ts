import { countPending, createInvitation as insert, isMemberAddress } from '../../../db/teams/invitations';
import { MAX_PENDING } from '../../../domain/teams/invitation';
import { Problem } from '../../../domain/core/problem';
import { hashToken, newToken } from '../../../domain/teams/token';
import { normalEmail } from '../../../domain/accounts/username';
import { invitationOut } from '../../../domain/teams/memberResponse';
import { holdTeam, userOf } from '../../core/caller';
import { checkOwners } from '../../core/owners';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { countMail, mailInvitation, needRightToGrant } from './invite';

export const createInvitation: Handler<'createInvitation'> = async ({ body, ctx }) => {
  const me = userOf(ctx);
  requireVerified(ctx);
  const email = normalEmail(body.email);
  await countMail(ctx, email);
  return ctx.write(async ({ trx, audit }) => {
    const { team, role: actor } = await holdTeam(trx, ctx, 'team.members');
    needRightToGrant(actor, body.role);
    if (body.role === 'owner') await checkOwners(ctx, trx, team.id);
    if (await isMemberAddress(trx, team.id, email))
      throw new Problem('INVITED_ALREADY', { message: `${email} is already a member of this team.` });
    if ((await countPending(trx, team.id)) >= MAX_PENDING)
      throw new Problem('CONFLICT', {
        message: `This team has reached the limit of ${MAX_PENDING} pending invitations.`,
        suggestions: ['Revoke unanswered invitations.'],
      });
    const token = newToken('inv');
    const invitation = await insert(trx, {
      team_id: team.id,
      email,
      role: body.role,
      token_hash: hashToken(token),
      invited_by: me.id,
    });
    if (!invitation)
      throw new Problem('INVITED_ALREADY', {
        message: `${email} is already invited. Resend that invitation if it didn't arrive.`,
      });
    await mailInvitation(ctx, trx, { team, invitation, token });
    await audit({
      action: 'invitation.create',
      target_kind: 'invitation',
      target_id: invitation.public_id,
      after: { email, role: body.role },
    });
    return { status: 201, body: invitationOut({ ...invitation, inviter_name: me.username }) } as const;
  });
};
