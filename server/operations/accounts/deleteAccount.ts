import { eraseUser, lockTeamsOf, lockUser } from '../../db/accounts/accounts';
import { endTeam } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { sessionCookie } from '../../domain/accounts/sessionCookie';
import { normalEmail } from '../../domain/accounts/username';
import { userOf } from '../core/caller';
import { invalidField } from '../core/invalid';
import { originOf } from '../core/origin';
import { needAnotherAdmin } from '../core/platformAdmin';
import type { Handler } from '../types';
import { accountDeletion } from './accountDeletion';

/**
 * Erases the user and the teams that have no other member. If this would harm other members, refuses with a
 * list of those teams.
 */
export const deleteAccount: Handler<'deleteAccount'> = async ({ body, ctx }) => {
  const { id, public_id, email } = userOf(ctx);
  if (normalEmail(body.email) !== email)
    throw invalidField('email', "This isn't your account's email address.");
  await ctx.write(async ({ trx, audit }) => {
    // Teams first: a deployment locks its team before it references the user.
    await lockTeamsOf(trx, id);
    const user = await lockUser(trx, id);
    if (user?.state !== 'active') throw new Problem('UNAUTHENTICATED');
    await needAnotherAdmin(trx, user);
    // Locks a team joined before the user row was locked; none can be joined after.
    await lockTeamsOf(trx, id);
    const { teams, refusal } = await accountDeletion(trx, id, ctx.config.billingEnforced);
    if (refusal) throw refusal;
    for (const team of teams) {
      await endTeam(trx, team.id);
      await audit({ action: 'team.delete', target_kind: 'team', target_id: team.slug, team_id: team.id });
    }
    await eraseUser(trx, id);
    await audit({
      action: 'user.delete',
      target_kind: 'user',
      target_id: public_id,
      team_id: null,
      after: { teams_deleted: teams.map(({ slug }) => slug) },
    });
    // Enqueued last and without a user, so that it isn't erased with the user's other mail.
    await ctx.mail.enqueue(trx, { to: email, template: 'account_deleted', data: originOf(ctx) });
  });
  return { status: 204, headers: { 'Set-Cookie': sessionCookie(ctx.config.publicUrl, null) } };
};
