// Removes private data from a page's error report before it leaves the browser; used by both apps.

const REDACTED = '[redacted]';
const DEEPEST = 12;

/** Keys whose values are never sent. */
const PRIVATE_KEY =
  /^(authorization|cookies?|set-cookie|password|token|secret|credential|api[-_]?key|env|envs|encrypted_env|compose|compose_file|docker_compose_file|pre_launch_script|query_string|body|data)$|_(token|secret|password|key|credential)$/i;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/gi, '[email]'],
  // API tokens: <brand>_<type>_<random><checksum>.
  [/\b[a-z]{2,12}_[a-z]{2,12}_[A-Za-z0-9]{16,}\b/g, '[token]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/\b(?:0x)?[0-9a-f]{64,}\b/gi, '[hex]'],
  // Query strings contain searches, codes and signed tokens.
  [/(https?:\/\/[^\s?#"']+|\/[\w./:-]*)\?[^\s"'#)]*/g, '$1'],
];

/** Returns a copy without email addresses, tokens, keys, query strings and compose text. */
export function scrub<T>(value: T): T {
  return scrubbed(value, 0) as T;
}

function scrubbed(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    // A Compose file in a message is recognized by its structure, not its key.
    if (/^\s*(services|version)\s*:/m.test(value) && value.includes('\n')) return REDACTED;
    return PATTERNS.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      PRIVATE_KEY.test(key) ? REDACTED : scrubbed(item, depth + 1),
    ]),
  );
}

export interface Tunnel {
  dsn: string;
  /** The tunnel's URL on this server: `/monitoring?o&p[&r]`. */
  tunnel: string;
}

/**
 * Without a configured service, reports still go to the tunnel, which stores them; the DSN is then a
 * placeholder.
 */
export function tunnelOf(dsn: string | null): Tunnel {
  const placeholder = { dsn: 'https://local@o0.ingest.sentry.io/0', tunnel: '/monitoring?o=0&p=0' };
  if (dsn === null || !URL.canParse(dsn)) return placeholder;
  const { org, project, region } = dsnParts(dsn);
  return { dsn, tunnel: `/monitoring?o=${org}&p=${project}${region === null ? '' : `&r=${region}`}` };
}

/**
 * Returns how the tunnel identifies a service. Sentry's own hosts include the organization and sometimes a
 * region; a self-hosted service has neither, and its organization is 0.
 */
export function dsnParts(dsn: string): { org: string; project: string; region: string | null } {
  const url = new URL(dsn);
  const [, org = '0', region = null] =
    /^o(\d+)\.ingest(?:\.([a-z0-9-]+))?\.sentry\.io$/.exec(url.hostname) ?? [];
  const project = /(\d+)\/?$/.exec(url.pathname)?.[1] ?? '0';
  return { org, project, region };
}
