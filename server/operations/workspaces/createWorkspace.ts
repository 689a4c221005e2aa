import { createTeam } from '../../db/teams';
import { workspaceOut } from '../../domain/wire/team';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { checkedName, checkSlug, slugTaken } from './names';

export const createWorkspace: Handler<'createWorkspace'> = async ({ body, ctx }) => {
  const { id: owner_id } = personOf(ctx);
  const reserved = [ctx.config.agentFramework];
  const name = checkedName(body.name);
  if (body.slug !== undefined) checkSlug(body.slug, reserved);
  return ctx.write(async ({ trx, audit }) => {
    const wanted = body.slug === undefined ? {} : { slug: body.slug };
    const team = await createTeam(trx, { name, owner_id, is_default: false, reserved, ...wanted });
    if (!team) throw slugTaken();
    await audit({
      action: 'team.create',
      target_kind: 'team',
      target_id: team.public_id,
      team_id: team.id,
      after: { name: team.name, slug: team.slug },
    });
    return { status: 201, body: workspaceOut(team) } as const;
  });
};
