import type { AuditFilter } from '../../db/audit/auditQueries';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

interface Params {
  actor?: string;
  action?: string;
  target?: string;
  from?: string;
  to?: string;
  q?: string;
}

/** Builds the filter of listAuditEntries and exportAuditEntries. */
export function auditFilter(ctx: Context, { from, to, ...params }: Params): AuditFilter {
  return {
    chain: teamOf(ctx).id,
    actor: params.actor || undefined,
    action: params.action || undefined,
    target: params.target || undefined,
    q: params.q?.trim() || undefined,
    from: timeOf('from', from),
    to: timeOf('to', to),
  };
}

/** The schema checks only the form: 2026-13-45T00:00:00Z matches it. */
function timeOf(field: string, text: string | undefined): Date | undefined {
  if (!text) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new Problem('VALIDATION_FAILED', {
      details: [{ field, message: 'Enter a time such as 2026-11-21T08:00:00Z.' }],
    });
  return time;
}
