import { formatUsd } from '../../../console/lib/billing/money';
import { steadyBalance } from '../../db/billing/accrued';
import { memberAddresses } from '../../db/teams/members';
import { endTeam, liveCvms } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { invalid } from './names';

const MAX_SHOWN = 20;
const MAX_MAILS = 1000;

export const deleteWorkspace: Handler<'deleteWorkspace'> = async ({ path, body, ctx }) => {
  if (body.slug !== path.slug) throw invalid('slug', `Type the team's slug, ${path.slug}.`);
  const { username } = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.delete');
    const cvms = await liveCvms(trx, team.id, MAX_SHOWN + 1);
    if (cvms.length > 0)
      throw new Problem('IN_USE', {
        message: `The team still has ${cvms.length > MAX_SHOWN ? `more than ${MAX_SHOWN}` : cvms.length} CVM${cvms.length === 1 ? '' : 's'}. Delete them first.`,
        details: cvms.slice(0, MAX_SHOWN).map(({ name, status, vm_uuid }) => ({
          field: 'cvms',
          message: `${name} (${status})`,
          value: vm_uuid,
        })),
      });
    const { balance } = await steadyBalance(trx, team.id, new Date());
    if (ctx.config.billingEnforced && balance < 0)
      throw new Problem('IN_USE', { message: `The team owes ${formatUsd(-balance)}. Settle it first.` });
    const members = await memberAddresses(trx, team.id, null, MAX_MAILS);
    const ended = await endTeam(trx, team.id);
    for (const { email, user_id } of members)
      await ctx.mail.enqueue(trx, {
        to: email,
        template: 'team_deleted',
        data: { team_name: team.name, by: username },
        user_id,
        team_id: team.id,
      });
    await audit({
      action: 'team.delete',
      target_kind: 'team',
      target_id: team.public_id,
      before: { name: team.name, slug: team.slug, ...ended },
    });
    return { status: 204 } as const;
  });
};
