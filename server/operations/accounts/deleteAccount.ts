import { formatUsd } from '../../../console/lib/billing/money';
import { steadyBalance } from '../../db/billing/accrued';
import { eraseUser, lockUser, soleTeams, type HeldTeam } from '../../db/accounts/accounts';
import type { Tx } from '../../db/core/client';
import { endTeam } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { sessionCookie } from '../../domain/accounts/sessionCookie';
import { normalEmail } from '../../domain/accounts/username';
import { userOf } from '../core/caller';
import { originOf } from '../core/origin';
import { needAnotherAdmin } from '../core/platformAdmin';
import type { Handler } from '../types';

/**
 * Erases the user and the teams that have no other member. If this would harm other members, refuses with a
 * list of those teams.
 */
export const deleteAccount: Handler<'deleteAccount'> = async ({ body, ctx }) => {
  const { id, public_id, email } = userOf(ctx);
  if (normalEmail(body.email) !== email) {
    const message = "This isn't your account's e-mail address.";
    throw new Problem('VALIDATION_FAILED', {
      message: `email: ${message}`,
      details: [{ field: 'email', message }],
    });
  }
  await ctx.write(async ({ trx, audit }) => {
    const user = await lockUser(trx, id);
    if (user?.state !== 'active') throw new Problem('UNAUTHENTICATED');
    await needAnotherAdmin(trx, user);
    const teams = await soleTeams(trx, id);
    refuseHeld(teams);
    if (ctx.config.billingEnforced) await refuseDebtors(trx, teams);
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

/** Reports every blocking team in one error, with what to do about each. */
function refuseHeld(teams: readonly HeldTeam[]): void {
  const held = teams.filter(({ other_members, cvms }) => other_members > 0 || cvms > 0);
  if (held.length === 0) return;
  const orphaned = held.some(({ other_members }) => other_members > 0);
  throw new Problem(orphaned ? 'LAST_OWNER' : 'CONFLICT', {
    message: `Your account can't be deleted yet: ${held.map(({ name }) => `“${name}”`).join(', ')} would be left behind.`,
    details: held.map(({ slug, name, other_members, cvms }) => ({
      field: 'teams',
      message:
        other_members > 0
          ? `You are the only owner of “${name}”, and it has ${other_members === 1 ? 'another member' : `${other_members} other members`}. Transfer or delete it.`
          : `“${name}” has ${cvms === 1 ? 'a CVM' : `${cvms} CVMs`}: delete ${cvms === 1 ? 'it' : 'them'} first.`,
      value: { slug, name, other_members, cvms },
    })),
  });
}

/** As when a team alone is deleted, which would end its debt. */
async function refuseDebtors(trx: Tx, teams: readonly HeldTeam[]): Promise<void> {
  const details = [];
  for (const { id, slug, name } of teams) {
    const { balance } = await steadyBalance(trx, id, new Date());
    const message = `“${name}” owes ${formatUsd(-balance)}. Settle it first.`;
    if (balance < 0) details.push({ field: 'teams', message, value: { slug, name } });
  }
  if (details.length > 0)
    throw new Problem('CONFLICT', {
      message: `Your account can't be deleted yet: ${details.map(({ message }) => message).join(' ')}`,
      details,
    });
}
