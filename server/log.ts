import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { secretFields } from '../generated/api/permissions.gen';

/** Where secrets may appear in a log line: at the top level, in a body, in error details. */
const places = ['', 'body.', 'err.', 'err.info.', 'headers.', '*.'];

/** Writes one JSON line per event, without credential headers and everything the document marks `x-secret`. */
export function createLogger(level: string, to?: DestinationStream): Logger {
  const headers = ['authorization', 'cookie', '["x-api-key"]', '["set-cookie"]', 'encrypted_env'];
  const options: LoggerOptions = {
    level,
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
  return to ? pino(options, to) : pino(options);
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
