// What the address of a page of events may say; small, because the router reads it before any page is loaded.

export interface EventsSearch {
  /** A query of the search box. */
  q?: string;
  /** Id of the event that is looked at. */
  event?: string;
}

/** Older addresses said `kind` and `severity`; they mean the same parts of a query. */
export function eventsSearch({ q, event, kind, severity }: Record<string, unknown>): EventsSearch {
  const older = [
    typeof kind === 'string' && /^[a-z_]{1,40}$/.test(kind) ? `kind:${kind}` : '',
    typeof severity === 'string' && /^[a-z]{1,10}$/.test(severity) ? `severity:${severity}` : '',
  ].filter(Boolean);
  // A router reads `?q=12` and `?event=12` as numbers.
  const written = typeof q === 'string' || typeof q === 'number' ? String(q) : older.join(' ');
  const id = typeof event === 'string' || typeof event === 'number' ? String(event) : '';
  return {
    ...(written.trim() === '' ? {} : { q: written.slice(0, 1000) }),
    ...(/^\d{1,15}$/.test(id) ? { event: id } : {}),
  };
}
