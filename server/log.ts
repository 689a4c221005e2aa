import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { secretFields } from '../generated/api/permissions.gen';

/** Where secrets may sit in what is logged: at the top, in a body, in an error's details. */
const places = ['', 'body.', 'err.', 'err.info.', 'headers.', '*.'];

/** One JSON line per event, with everything the document marks `x-secret` and every credential header removed. */
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

/** What PostgreSQL's errors say beside their message: whole rows, values and connections. None of it is for a log. */
const CARRIERS = ['detail', 'where', 'hint', 'internalQuery', 'query', 'parameters', 'client', 'body'];

function errorOut(error: Error): Record<string, unknown> {
  const out: Record<string, unknown> = { ...pino.stdSerializers.err(error) };
  for (const name of CARRIERS) delete out[name];
  // `code` is what a one-time code is called on the wire, so it is redacted everywhere; the system's own is no secret.
  if (error instanceof Error && 'code' in out) {
    out.error_code = out.code;
    delete out.code;
  }
  return out;
}
