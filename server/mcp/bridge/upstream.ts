import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { send } from '../door';

/** How long the server can take for an answer. */
export const CALL_MS = 300_000;

/** Returns whether something listens at the server's address. */
export const isReachable = (upstream: URL): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(upstream.port), upstream.hostname);
    const tell = (is_reachable: boolean) => {
      socket.destroy();
      resolve(is_reachable);
    };
    socket.on('connect', () => tell(true));
    socket.on('error', () => tell(false));
    socket.setTimeout(2_000, () => tell(false));
  });

/** Replies that the server can't be reached, or no longer. */
export function replyUnreachable(res: ServerResponse, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    res.setHeader('Retry-After', '5');
    return send(res, 503, {
      error: 'The server isn’t ready. It may still be installing; its log says more.',
    });
  }
  send(res, 502, { error: 'The server ended the connection. Its log says more.' });
}
