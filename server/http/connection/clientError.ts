import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { VERSION_HEADER } from '../../../console/lib/apiVersion';
import { Problem } from '../../domain/core/problem';
import { DEFAULT_VERSION } from '../compat/versions';
import { problemBody } from '../errors';
import { newRequestId } from '../requestLog';

/**
 * Maximum bytes of a request's line and headers. Node's default of 16 KB cuts off a `filter` of 4,000 characters,
 * which is 36 KB if each becomes three escaped bytes.
 */
export const MAX_HEADER_BYTES = 65_536;

/** Time for the client to read the reply. Closing while it still sends would reset the connection and lose it. */
const LINGER_MS = 1000;

/** Statuses of Node's own replies to requests it can't parse; anything else is 400. */
const PLAIN: ReadonlyMap<string | undefined, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);

/** Responds to requests that never reach the app, because they can't be parsed: the server's `clientError`. */
export function answerClientError(log: Logger) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Each further chunk of the request triggers this again.
    if (socket.writableEnded) return;
    const { _httpMessage: response } = socket as { _httpMessage?: { headersSent: boolean } | null };
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge(log) : plain(error.code));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function headersTooLarge(log: Logger): string {
  const problem = new Problem('HEADERS_TOO_LARGE');
  const request_id = newRequestId();
  log.info({ request_id, status: problem.status, problem: problem.code }, 'request');
  const body = JSON.stringify(problemBody(problem, request_id));
  return reply(problem.status, body, [
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${request_id}`,
    // The headers weren't parsed.
    `${VERSION_HEADER}: ${DEFAULT_VERSION}`,
  ]);
}

const plain = (code: string | undefined) => reply(PLAIN.get(code) ?? 400, '', []);

const reply = (status: number, body: string, headers: readonly string[]) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
