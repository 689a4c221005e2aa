import { cvmsOfApps, factsOf } from '../../db/cvmQueries';
import { toCvm, type ListedCvm } from '../../domain/wire/cvm';
import { teamOf } from '../shared/caller';
import type { Context } from '../types';

/** The document's bound for the CVMs of one app. */
const MOST = 1000;

export async function cvmsOfApp(ctx: Context, app: number): Promise<ListedCvm[]> {
  const byApp = await cvmsOfApps(ctx.db, teamOf(ctx).id, [app], MOST);
  const rows = byApp.get(app) ?? [];
  const facts = await factsOf(ctx.db, rows);
  return rows.map((row) => toCvm(row, facts(row), ctx));
}
