// Search parameters of a CVM's tabs. The router needs them before it loads a page, so nothing large is imported here.

export interface LogsSearch {
  /** A container's name, `serial`, `stdout` or `stderr`. */
  source: string | undefined;
  /** The time to find, in RFC 3339. */
  at: string | undefined;
}

export function logsSearch({ source, at }: Record<string, unknown>): LogsSearch {
  const moment = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return {
    source: typeof source === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(source) ? source : undefined,
    at: Number.isNaN(moment) ? undefined : new Date(moment).toISOString(),
  };
}

export interface ComposeSearch {
  /** The line of the compose file to open at. */
  line: number | undefined;
  /** The version of the app's template to fill the form with. */
  template: string | undefined;
}

export function composeSearch({ line, template }: Record<string, unknown>): ComposeSearch {
  const number = Number(line);
  return {
    line: Number.isInteger(number) && number > 0 && number < 100_000 ? number : undefined,
    template: typeof template === 'string' && /^[\d.]{1,20}$/.test(template) ? template : undefined,
  };
}
