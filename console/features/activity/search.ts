import { searchText } from '../../lib/texts/searchText';

// Search parameters of the events pages. Kept small because the router loads it before any page.

export interface EventsSearch {
  /** The search query. */
  q?: string | undefined;
  /** ID of the opened event. */
  event?: string | undefined;
}

/**
 * Parses the address. Every key is present, so that invalid raw values don't stay. Older URLs used `kind` and
 * `severity`, which map to query filters.
 */
export function eventsSearch({ q, event, kind, severity }: Record<string, unknown>): EventsSearch {
  const older = [
    typeof kind === 'string' && /^[a-z_]{1,40}$/.test(kind) ? `kind:${kind}` : '',
    typeof severity === 'string' && /^[a-z]{1,10}$/.test(severity) ? `severity:${severity}` : '',
  ].filter(Boolean);
  // A router reads `?q=12` and `?event=12` as numbers.
  const written = typeof q === 'string' || typeof q === 'number' ? String(q) : older.join(' ');
  const id = typeof event === 'string' || typeof event === 'number' ? String(event) : '';
  return {
    q: searchText(written, 1000),
    event: /^\d{1,15}$/.test(id) ? id : undefined,
  };
}
