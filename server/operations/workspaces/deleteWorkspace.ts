import { memberAddresses } from '../../db/members';
import { endTeam, liveCvms } from '../../db/teams';
import { Problem } from '../../domain/problem';
import { holdTeam, personOf } from '../shared/caller';
import type { Handler } from '../types';
import { invalid } from './names';

const MOST_SHOWN = 20;
const MOST_MAILS = 1000;

export const deleteWorkspace: Handler<'deleteWorkspace'> = async ({ path, body, ctx }) => {
  if (body.slug !== path.slug) throw invalid('slug', `Type the team's address, ${path.slug}.`);
  const { username } = personOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'team.delete');
    const cvms = await liveCvms(trx, team.id, MOST_SHOWN + 1);
    if (cvms.length > 0)
      throw new Problem('IN_USE', {
        message: `The team still has ${cvms.length > MOST_SHOWN ? `more than ${MOST_SHOWN}` : cvms.length} CVM${cvms.length === 1 ? '' : 's'}. Delete them first.`,
        details: cvms.slice(0, MOST_SHOWN).map(({ name, status, vm_uuid }) => ({
          field: 'cvms',
          message: `${name} (${status})`,
          value: vm_uuid,
        })),
      });
    const people = await memberAddresses(trx, team.id, null, MOST_MAILS);
    const ended = await endTeam(trx, team.id);
    for (const { email, user_id } of people)
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
