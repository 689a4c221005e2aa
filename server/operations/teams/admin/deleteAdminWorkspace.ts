import { formatUsd } from '../../../../console/lib/billing/money';
import { lockTeam, memberAddresses } from '../../../db/teams/members';
import { deletionOf } from '../../../db/teams/teamDeletion';
import { endTeam } from '../../../db/teams/teams';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { someOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';

const MAX_SHOWN = 5;
const MAX_MAILS = 1000;

/**
 * Deletes a team as its owner would. @throws IN_USE while it has CVMs or owes money: deleting it would forgive
 * the debt without an approval
 */
export const deleteAdminWorkspace: Handler<'deleteAdminWorkspace'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const team = await lockTeam(trx, path.id);
    if (!team) throw missing(workspaces, path.id);
    const { cvms, cvm_count, balance, held } = await deletionOf(trx, team.id, MAX_SHOWN);
    if (cvm_count > 0)
      throw new Problem('IN_USE', {
        message: `${team.name} has ${someOf(
          cvms.map(({ name }) => name),
          cvm_count,
        )}.`,
        suggestions: ['Its members must delete their CVMs first.'],
      });
    if (ctx.config.billingEnforced && balance < 0)
      throw new Problem('IN_USE', {
        message: `${team.name} owes ${formatUsd(-balance)}.`,
        suggestions: ['To write off the debt, grant the team a credit of that amount first.'],
      });
    if (ctx.config.billingEnforced && balance < held)
      throw new Problem('IN_USE', {
        message: `${team.name} has a balance of ${formatUsd(balance)}, but ${formatUsd(held)} is set aside for AI requests and refunds in progress.`,
        suggestions: ['Wait until they finish.'],
      });
    const members = await memberAddresses(trx, team.id, null, MAX_MAILS);
    const ended = await endTeam(trx, team.id);
    for (const { email, user_id } of members)
      await ctx.mail.enqueue(trx, {
        to: email,
        template: 'team_deleted',
        data: { team_name: team.name, by: null },
        user_id,
        team_id: team.id,
      });
    const before = { name: team.name, slug: team.slug, ...ended };
    // In the team's own log, which outlives it, and in the platform's.
    for (const team_id of [team.id, null])
      await audit({ action: 'team.delete', target_kind: 'team', target_id: team.public_id, team_id, before });
    return { status: 204 } as const;
  });
