import { findApp, type AppSummary } from '../../db/apps';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { teamOf } from '../shared/caller';

/** 40 hex digits, bare or with `app_` or `0x`, in any case; null for anything else. */
export function parseAppId(text: string): string | null {
  return /^(?:app_)?(?:0x)?([0-9a-f]{40})$/.exec(text.toLowerCase())?.[1] ?? null;
}

/** The team's app of that id. @throws NOT_FOUND */
export async function appOf(ctx: Context, text: string): Promise<AppSummary> {
  const app_id = parseAppId(text);
  const app = app_id === null ? null : await findApp(ctx.db, teamOf(ctx).id, app_id);
  if (!app) throw new Problem('NOT_FOUND', { message: 'The requested app was not found' });
  return app;
}
