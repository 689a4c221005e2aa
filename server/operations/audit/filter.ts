import type { AuditFilter } from '../../db/auditQueries';
import { Problem } from '../../domain/problem';
import { teamOf } from '../shared/caller';
import type { Context } from '../types';

interface Asked {
  actor?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  q?: string;
}

/** The query of listAuditEntries and exportAuditEntries. */
export function auditFilter(ctx: Context, { from, to, ...asked }: Asked): AuditFilter {
  return {
    chain: teamOf(ctx).id,
    actor: asked.actor || undefined,
    action: asked.action || undefined,
    target: asked.target || undefined,
    q: asked.q?.trim() || undefined,
    from: timeOf('from', from),
    to: timeOf('to', to),
  };
}

/** The document checks the shape; PostgreSQL's calendar ends later than the one of four-digit years. */
function timeOf(field: string, text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new Problem('VALIDATION_FAILED', {
      details: [{ field, message: 'This is no time such as 2026-11-21T08:00:00Z.' }],
    });
  return time;
}
