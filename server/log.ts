import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { ownValue } from '../console/lib/ownValue';
import { secretFields } from '../generated/api/permissions.gen';

/** Where secrets may appear in a log line: at the top level, in a body, in error details. */
const places = ['', 'body.', 'err.', 'err.info.', 'headers.', '*.'];

/** The level from which lines are written, of a logger and all its children. */
interface LogThreshold {
  /** LOG_LEVEL. */
  readonly configured: string;
  /** The one that applies now. */
  readonly level: string;
  /** Replaces the configured level until it is called with null. */
  override(level: string | null): void;
}

export type ServerLog = Logger & { readonly threshold: LogThreshold };

/** Writes one JSON line per event, without credential headers and everything the document marks `x-secret`. */
export function createLogger(level: string, to?: DestinationStream): ServerLog {
  const threshold = createThreshold(level);
  const headers = ['authorization', 'cookie', '["x-api-key"]', '["set-cookie"]', 'encrypted_env'];
  const options: LoggerOptions = {
    // Children copy pino's own level when they are made, and some live for minutes: lines are filtered below instead.
    level: 'trace',
    hooks: {
      logMethod(line, write, severity) {
        if (severity >= threshold.severity) write.apply(this, line);
      },
    },
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        ...new Set(
          places.flatMap((place) =>
            [...secretFields, ...headers].map((name) =>
              name.startsWith('[') ? `${place.replace(/\.$/, '')}${name}` : `${place}${name}`,
            ),
          ),
        ),
      ],
      censor: '[redacted]',
    },
    serializers: { err: errorOut },
  };
  return Object.assign(to ? pino(options, to) : pino(options), { threshold });
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

function errorOut(error: Error): Record<string, unknown> {
  const out: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  for (const name of CARRIERS) delete out[name];
  // One-time codes are called `code` on the wire, so the key is redacted everywhere; system error codes are not
  // secret.
  if (error instanceof Error && 'code' in out) {
    out.error_code = out.code;
    delete out.code;
  }
  return out;
}
