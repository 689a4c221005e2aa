import { teepodTeams } from '../../db/hosts/teepodTeams';
import type { Db } from '../../db/core/client';
import type { Handler } from '../types';
import { teepodOr404 } from './teepod';

export const listTeepodTeams: Handler<'listTeepodTeams'> = async ({ path, ctx }) =>
  teamsReply(ctx.db, path.id);

export async function teamsReply(db: Db, id: number) {
  const { all_teams } = await teepodOr404(db, id);
  return { status: 200, body: { all_teams, teams: await teepodTeams(db, id) } } as const;
}
