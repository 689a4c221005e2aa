import { headersOf, send, type Admitted, type Service } from '../door';
import {
  CURRENT,
  EARLIER,
  errorReply,
  INVALID_REQUEST,
  isObject,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
  type Fields,
} from '../messages';
import { isRequest } from './connection';
import { Sessions } from './sessions';
import { Stateless } from './stateless';
import { isReachable, replyUnreachable } from './upstream';

/**
 * Speaks for a server that reads lines. Clients of the revisions with sessions have a process each; those of the
 * stateless revision share one.
 */
export function linesBridge(upstream: URL): Service {
  const sessions = new Sessions(upstream);
  const stateless = new Stateless(upstream);

  const answer = async (admitted: Admitted): Promise<void> => {
    const { req, res } = admitted;
    const header = headersOf(req);
    const version = header('mcp-protocol-version');
    let message: Fields | null = null;
    if (req.method === 'POST') {
      message = messageIn(admitted);
      if (message === null) return;
      if (version === CURRENT)
        return typeof message.method === 'string'
          ? stateless.answer(admitted, message)
          : refuse(admitted, message.id, 'The stateless revision has no replies from clients.');
      if (message.method === 'initialize' && isRequest(message)) return sessions.begin(admitted, message);
    } else if (version === CURRENT) {
      res.setHeader('Allow', 'POST');
      return send(res, 405, { error: 'Send a POST: this revision has no sessions and no streams.' });
    }
    const session = header('mcp-session-id');
    if (session === undefined)
      return refuse(admitted, message?.id, 'Initialize first, then send Mcp-Session-Id.');
    await sessions.answer(admitted, session, message);
  };

  return {
    name: 'The bridge',
    has_sessions: true,
    isReady: () => isReachable(upstream),
    answer: (admitted) => answer(admitted).catch((error: unknown) => replyUnreachable(admitted.res, error)),
  };
}

const refuse = ({ res }: Admitted, id: unknown, why: string, code = INVALID_REQUEST, data?: object) =>
  send(res, 400, errorReply(id, code, why, data));

/** Returns the message of a POST; null if it was refused. */
function messageIn(admitted: Admitted): Fields | null {
  let message: unknown;
  try {
    message = JSON.parse(admitted.body.toString('utf8'));
  } catch {
    refuse(admitted, null, 'The body is not JSON.', PARSE_ERROR);
    return null;
  }
  if (!isObject(message) || message.jsonrpc !== '2.0') {
    refuse(admitted, null, 'Send one JSON-RPC 2.0 message.');
    return null;
  }
  const version = headersOf(admitted.req)('mcp-protocol-version');
  if (version === undefined || version === CURRENT || EARLIER.includes(version)) return message;
  refuse(admitted, message.id, 'Unsupported protocol version.', UNSUPPORTED_VERSION, {
    supported: [CURRENT, ...EARLIER],
    requested: version.slice(0, 40),
  });
  return null;
}
