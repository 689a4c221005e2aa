import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { ownValue } from '../console/lib/ownValue';
import { secretFields } from '../generated/api/permissions.gen';

/** Members that are never written: credential headers and everything the document marks `x-secret`. */
const SECRETS: ReadonlySet<string> = new Set([
  ...secretFields,
  'authorization',
  'cookie',
  'x-api-key',
  'set-cookie',
  'encrypted_env',
]);
const REDACTED = '[redacted]';

/** The level from which lines are written, of a logger and all its children. */
interface LogThreshold {
  /** LOG_LEVEL. */
  readonly configured: string;
  /** The level currently in effect. */
  readonly level: string;
  /** Replaces the configured level until it is called with null. */
  override(level: string | null): void;
}

export type ServerLog = Logger & { readonly threshold: LogThreshold };

/** Writes one JSON line per event, without secrets at its top level, up to three levels below, and in errors. */
export function createLogger(level: string, to?: DestinationStream): ServerLog {
  const threshold = createThreshold(level);
  const options: LoggerOptions = {
    // Children copy pino's level when created, and some live for minutes, so lines are filtered below instead.
    level: 'trace',
    hooks: {
      logMethod(line, write, severity) {
        if (severity >= threshold.severity) write.apply(this, line);
      },
    },
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Also for the bindings of children, which are texts and numbers. pino would parse all paths below the top level again
    // for every value of every line, so they are left to `withoutSecrets`.
    redact: { paths: [...SECRETS].map((name) => `["${name}"]`), censor: REDACTED },
    formatters: { log: withoutSecrets },
    serializers: { err: errorOut },
  };
  return Object.assign(to ? pino(options, to) : pino(options), { threshold });
}

/** The error is left to its serializer. */
function withoutSecrets(line: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [name, name === 'err' ? value : redacted(value)]),
  );
}

/** Returns the value, or a redacted copy if it has secret members. */
function redacted(value: unknown, levels = 2): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (levels === 0) return value;
    const items = value.map((item) => redacted(item, levels - 1));
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  const changed = Object.entries(value).flatMap(([name, member]) => {
    const written = SECRETS.has(name) ? REDACTED : levels === 0 ? member : redacted(member, levels - 1);
    return written === member ? [] : [[name, written]];
  });
  return changed.length === 0 ? value : { ...value, ...(Object.fromEntries(changed) as object) };
}

function createThreshold(configured: string): LogThreshold & { readonly severity: number } {
  const severityOf = (level: string) => ownValue(pino.levels.values, level) ?? Infinity; // silent
  let level = configured;
  let severity = severityOf(level);
  return {
    configured,
    get level() {
      return level;
    },
    get severity() {
      return severity;
    },
    override(given) {
      level = given ?? configured;
      severity = severityOf(level);
    },
  };
}

/** PostgreSQL's errors also carry whole rows, values and connections, which don't belong in a log. */
const CARRIERS = ['detail', 'where', 'hint', 'internalQuery', 'query', 'parameters', 'client', 'body'];

function errorOut(error: Error): unknown {
  const out: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  for (const name of CARRIERS) delete out[name];
  // One-time codes are called `code` on the wire, so the key is redacted everywhere; system error codes are not
  // secret.
  if (error instanceof Error && 'code' in out) {
    out.error_code = out.code;
    delete out.code;
  }
  return redacted(out);
}
