// Search parameters of a CVM's tabs. The router needs them before it loads a page, so nothing large is imported here.

export interface LogsSearch {
  /** A container's name, `serial`, `stdout` or `stderr`. */
  source?: string;
  /** The time to find, in RFC 3339. */
  at?: string;
}

export function logsSearch({ source, at }: Record<string, unknown>): LogsSearch {
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    ...(typeof source === 'string' && source !== '' && source.length <= 200 ? { source } : {}),
    ...(Number.isNaN(moment) ? {} : { at: new Date(moment).toISOString() }),
  };
}

export interface ComposeSearch {
  /** The line of the compose file to open at. */
  line?: number;
  /** The version of the app's template to fill the form with. */
  template?: string;
}

export function composeSearch({ line, template }: Record<string, unknown>): ComposeSearch {
  const number = Number(line);
  return {
    ...(Number.isInteger(number) && number > 0 && number < 100_000 ? { line: number } : {}),
    ...(typeof template === 'string' && /^[\d.]{1,20}$/.test(template) ? { template } : {}),
  };
}
