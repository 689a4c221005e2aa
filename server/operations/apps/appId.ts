import { findApp, type AppSummary } from '../../db/apps/apps';
import { Problem } from '../../domain/core/problem';
import type { Context } from '../types';
import { teamOf } from '../core/caller';

/**
 * Returns the id as 40 hex digits; accepts it bare or with `app_` or `0x`, in any case. Returns null for
 * anything else.
 */
export function parseAppId(text: string): string | null {
  return /^(?:app_)?(?:0x)?([0-9a-f]{40})$/.exec(text.toLowerCase())?.[1] ?? null;
}

/** Returns the team's app with that id. @throws NOT_FOUND */
export async function appOf(ctx: Context, text: string): Promise<AppSummary> {
  const app_id = parseAppId(text);
  const app = app_id === null ? null : await findApp(ctx.db, teamOf(ctx).id, app_id);
  if (!app) throw new Problem('NOT_FOUND', { message: 'The requested app was not found' });
  return app;
}
