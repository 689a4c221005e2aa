// What the address of the logs may say; small, because the router reads it before any page is loaded.

export interface LogsSearch {
  /** A container's name, `serial`, `stdout` or `stderr`. */
  source?: string;
  /** RFC 3339: the moment that is looked for. */
  at?: string;
}

export function logsSearch({ source, at }: Record<string, unknown>): LogsSearch {
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    ...(typeof source === 'string' && source !== '' && source.length <= 200 ? { source } : {}),
    ...(Number.isNaN(moment) ? {} : { at: new Date(moment).toISOString() }),
  };
}
