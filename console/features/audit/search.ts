/** What the address says about the audit log: `?tab=audit&…`. Names are those of the API. */
export interface AuditSearch {
  /** Public id of a person. */
  actor?: string | undefined;
  /** An action, or its first part. */
  action?: string | undefined;
  /** Id of what was changed. */
  target?: string | undefined;
  /** Days of the person's own calendar, both included: 2026-11-21. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

const LONGEST = { actor: 64, action: 64, target: 128, q: 100 } as const;

/**
 * The address as typed values; what makes no sense is dropped. Every key is there, because the router lays what is
 * validated over the raw address: a key left out would keep its raw value.
 */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (key: keyof typeof LONGEST) => {
    const value = search[key];
    return typeof value === 'string' && value.trim() !== '' ? value.slice(0, LONGEST[key]) : undefined;
  };
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

/** As the API is asked: days become the moments at which they begin and end here. */
export function auditQuery({ from, to, ...rest }: AuditSearch): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) query[key] = value;
  if (from !== undefined) query.from = new Date(`${from}T00:00`).toISOString();
  if (to !== undefined) {
    const next = new Date(`${to}T00:00`);
    // By the calendar: the day on which clocks change has not 24 hours.
    next.setDate(next.getDate() + 1);
    query.to = next.toISOString();
  }
  return query;
}

/** Where the browser fetches the file; the session goes with it. */
export function exportHref(slug: string, format: 'csv' | 'jsonl', search: AuditSearch): string {
  const query = new URLSearchParams({ format, ...auditQuery(search) });
  return `/api/v1/workspaces/${encodeURIComponent(slug)}/audit/export?${query.toString()}`;
}
