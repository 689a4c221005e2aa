import { searchText } from '../../lib/texts/searchText';

/** Search parameters of the audit log: `?tab=audit&…`. Names match the API. */
export interface AuditSearch {
  /** Public user ID. */
  actor?: string | undefined;
  /** An action or its prefix. */
  action?: string | undefined;
  /** ID of the changed object. */
  target?: string | undefined;
  /** Inclusive days in the user's time zone: 2026-11-21. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

const MAX_LENGTH = { actor: 64, action: 64, target: 128, q: 100 } as const;

/**
 * Parses the address; invalid values are dropped. Every key is present, because the router merges validated values over
 * the raw address and an omitted key would keep its raw value.
 */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (key: keyof typeof MAX_LENGTH) => searchText(search[key], MAX_LENGTH[key]);
  return {
    actor: text('actor'),
    action: text('action'),
    target: text('target'),
    from: day(search.from),
    to: day(search.to),
    q: text('q'),
  };
}

function day(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return Number.isNaN(new Date(`${value}T00:00`).getTime()) ? undefined : value;
}

export const isFiltered = (search: AuditSearch): boolean =>
  Object.values(search).some((value) => value !== undefined);

/** Returns the time as the API reads it; undefined outside the years that it has, where no entry is anyway. */
function apiTime(at: Date): string | undefined {
  const text = at.toISOString();
  return /^\d{4}-/.test(text) ? text : undefined;
}

/** Converts the search to API parameters: days become the local start and end times. */
export function auditQuery({ from, to, ...rest }: AuditSearch): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) query[key] = value;
  const since = from === undefined ? undefined : apiTime(new Date(`${from}T00:00`));
  if (since !== undefined) query.from = since;
  if (to !== undefined) {
    const next = new Date(`${to}T00:00`);
    // Calendar arithmetic: days with clock changes don't have 24 hours.
    next.setDate(next.getDate() + 1);
    const until = apiTime(next);
    if (until !== undefined) query.to = until;
  }
  return query;
}

/** Returns the download address; the browser sends the session cookie with it. */
export function exportHref(slug: string, format: 'csv' | 'jsonl', search: AuditSearch): string {
  const query = new URLSearchParams({ format, ...auditQuery(search) });
  return `/api/v1/workspaces/${encodeURIComponent(slug)}/audit/export?${query.toString()}`;
}
