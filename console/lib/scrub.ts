// What is taken out of a report about a fault of the page before it leaves the browser; both apps use it.

const REDACTED = '[redacted]';
const DEEPEST = 12;

/** Keys whose values are never sent, whatever they hold. */
const PRIVATE_KEY =
  /^(authorization|cookies?|set-cookie|password|token|secret|credential|api[-_]?key|env|envs|encrypted_env|compose|compose_file|docker_compose_file|pre_launch_script|query_string|body|data)$|_(token|secret|password|key|credential)$/i;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/gi, '[email]'],
  // API tokens: <brand>_<type>_<random><checksum>.
  [/\b[a-z]{2,12}_[a-z]{2,12}_[A-Za-z0-9]{16,}\b/g, '[token]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/\b(?:0x)?[0-9a-f]{64,}\b/gi, '[hex]'],
  // Query strings carry searches, codes and signed tokens.
  [/(https?:\/\/[^\s?#"']+|\/[\w./:-]*)\?[^\s"'#)]*/g, '$1'],
];

/** Without addresses of people, tokens, keys, query strings and compose text. The input is not changed. */
export function scrub<T>(value: T): T {
  return scrubbed(value, 0) as T;
}

function scrubbed(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    // A compose file in a message is recognised by its shape, not by its key.
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
  /** Address of the tunnel on this server: `/monitoring?o&p[&r]`. */
  tunnel: string;
}

/** With no service configured the reports still go to the tunnel, which keeps them: the address then is a placeholder. */
export function tunnelOf(dsn: string | null): Tunnel {
  const placeholder = { dsn: 'https://local@o0.ingest.sentry.io/0', tunnel: '/monitoring?o=0&p=0' };
  if (dsn === null || !URL.canParse(dsn)) return placeholder;
  const url = new URL(dsn);
  const [, organization = '0', region] =
    /^o(\d+)\.ingest(?:\.([a-z0-9-]+))?\.sentry\.io$/.exec(url.hostname) ?? [];
  const project = /(\d+)\/?$/.exec(url.pathname)?.[1] ?? '0';
  return {
    dsn,
    tunnel: `/monitoring?o=${organization}&p=${project}${region === undefined ? '' : `&r=${region}`}`,
  };
}
