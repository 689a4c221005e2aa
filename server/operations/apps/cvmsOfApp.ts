import { cvmsOfApps, factsOf } from '../../db/cvms/cvmQueries';
import { toCvm, type ListedCvm } from '../../domain/cvms/cvmResponse';
import { analyzerOf } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

/** The API's limit for CVMs of one app. */
const MAX_CVMS = 1000;

export async function cvmsOfApp(ctx: Context, app: number): Promise<ListedCvm[]> {
  const byApp = await cvmsOfApps(ctx.db, teamOf(ctx).id, [app], MAX_CVMS);
  const rows = byApp.get(app) ?? [];
  const facts = await factsOf(ctx.db, rows, analyzerOf(ctx));
  return rows.map((row) => toCvm(row, facts(row), ctx));
}
