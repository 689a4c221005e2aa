import { countPending, createInvitation as insert, isMemberAddress } from '../../db/invitations';
import { MOST_PENDING } from '../../domain/invitation';
import { Problem } from '../../domain/problem';
import { hashToken, newToken } from '../../domain/token';
import { normalEmail } from '../../domain/username';
import { invitationOut } from '../../domain/wire/members';
import { holdTeam, personOf } from '../shared/caller';
import { requireVerified } from '../shared/verified';
import type { Handler } from '../types';
import { countMail, mailInvitation, needRightToGrant } from './invite';

export const createInvitation: Handler<'createInvitation'> = async ({ body, ctx }) => {
  const me = personOf(ctx);
  requireVerified(ctx);
  const email = normalEmail(body.email);
  await countMail(ctx, email);
  return ctx.write(async ({ trx, audit }) => {
    const { team, role: actor } = await holdTeam(trx, ctx, 'team.members');
    needRightToGrant(actor, body.role);
    if (await isMemberAddress(trx, team.id, email))
      throw new Problem('INVITED_ALREADY', { message: `${email} is a member of this team already.` });
    if ((await countPending(trx, team.id)) >= MOST_PENDING)
      throw new Problem('CONFLICT', {
        message: `${MOST_PENDING} invitations of this team wait for an answer, the most there may be.`,
        suggestions: ['Revoke some that nobody answers.'],
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
        message: `${email} is invited already. Resend that invitation if it did not arrive.`,
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
