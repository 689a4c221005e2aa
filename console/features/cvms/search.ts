// What the addresses of these pages may say; small, because the router reads it before any page is loaded.

export interface LogsSearch {
  /** A container's name, `serial`, `stdout` or `stderr`. */
  source?: string;
}

export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const { source } = search;
  return typeof source === 'string' && source !== '' && source.length <= 200 ? { source } : {};
}

export const KINDS = [
  'deploy',
  'boot',
  'start',
  'stop',
  'shutdown',
  'restart',
  'update',
  'resize',
  'delete',
  'cvm',
] as const;
export const SEVERITIES = ['info', 'warning', 'error'] as const;

export interface EventsSearch {
  kind?: (typeof KINDS)[number];
  severity?: (typeof SEVERITIES)[number];
}

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  const kind = KINDS.find((one) => one === search.kind);
  const severity = SEVERITIES.find((one) => one === search.severity);
  return { ...(kind ? { kind } : {}), ...(severity ? { severity } : {}) };
}
