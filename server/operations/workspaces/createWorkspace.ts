import { isReservedSlug, slugProblem } from '../../../console/lib/ids';
import { createTeam } from '../../db/teams';
import { Problem } from '../../domain/problem';
import { workspaceOut } from '../../domain/wire/team';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const createWorkspace: Handler<'createWorkspace'> = async ({ body, ctx }) => {
  const { id: owner_id } = personOf(ctx);
  const reserved = [ctx.config.agentFramework];
  const name = body.name.trim();
  if (name === '') throw invalid('name', 'Write at least one visible character.');
  if (body.slug !== undefined) {
    if (isReservedSlug(body.slug, reserved))
      throw new Problem('SLUG_RESERVED', {
        details: [{ field: 'slug', message: `“${body.slug}” is reserved.` }],
      });
    const problem = slugProblem(body.slug, reserved);
    if (problem !== null) throw invalid('slug', problem);
  }
  return ctx.write(async ({ trx, audit }) => {
    const wanted = body.slug === undefined ? {} : { slug: body.slug };
    const team = await createTeam(trx, { name, owner_id, is_default: false, reserved, ...wanted });
    if (!team)
      throw new Problem('SLUG_TAKEN', {
        details: [{ field: 'slug', message: 'Another team has this address.' }],
      });
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

const invalid = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message: `${field}: ${message}`, details: [{ field, message }] });
