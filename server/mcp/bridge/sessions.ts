import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { send, type Admitted } from '../door';
import type { KeyHolder } from '../keys';
import { errorReply, INVALID_REQUEST, type Fields } from '../messages';
import { askFor, Connection, isRequest } from './connection';

const MAX_SESSIONS = 16;
const IDLE_MS = 30 * 60_000;
/** Messages of the server that wait for the client's stream, and their characters. */
const MAX_HELD = 50;
const MAX_HELD_CHARS = 1024 * 1024;
/** Bytes that a client may leave unread before its stream ends. */
const MAX_UNREAD = 4 * 1024 * 1024;
const NO_SESSION = -32001;

interface Session {
  holder: KeyHolder;
  server: Connection;
  /** When it was last used. */
  used: number;
  /** Requests in progress. */
  busy: number;
  stream: ServerResponse | null;
  /** As they are sent. */
  held: string[];
}

/** Clients of the revisions with sessions. Each has a connection, and so a process, of its own. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  constructor(readonly upstream: URL) {
    setInterval(() => {
      for (const [id, { used, stream, busy }] of this.#sessions)
        if (!stream && busy === 0 && Date.now() - used > IDLE_MS) this.#end(id);
    }, 60_000).unref();
  }

  /** Opens a session with the client's first request. */
  async begin({ res, holder }: Admitted, message: Fields): Promise<void> {
    if (this.#sessions.size >= MAX_SESSIONS) this.#makeRoom(holder);
    const id = randomUUID();
    const session: Session = {
      holder,
      server: new Connection(
        this.upstream,
        (told) => deliver(session, told),
        () => this.#end(id),
      ),
      used: Date.now(),
      busy: 0,
      stream: null,
      held: [],
    };
    this.#sessions.set(id, session);
    try {
      const reply = await session.server.ask(message);
      if (reply.result) res.setHeader('Mcp-Session-Id', id);
      else this.#end(id);
      send(res, 200, reply);
    } catch (error) {
      this.#end(id);
      throw error;
    }
  }

  /** Answers a request within a session. @param message null for a GET or DELETE */
  async answer({ req, res, holder }: Admitted, id: string, message: Fields | null): Promise<void> {
    const session = this.#sessions.get(id);
    // To other keys, it is as if there were none.
    if (session?.holder !== holder)
      return send(res, 404, errorReply(message?.id, NO_SESSION, 'The session has ended. Initialize again.'));
    session.used = Date.now();
    if (req.method === 'DELETE') {
      this.#end(id);
      return send(res, 204, null);
    }
    if (message === null) return openStream(session, res);
    if (!isRequest(message)) {
      session.server.tell(message);
      return send(res, 202, null);
    }
    if (session.server.isWaiting(message.id))
      return send(
        res,
        400,
        errorReply(message.id, INVALID_REQUEST, 'A request with this ID is in progress.'),
      );
    session.busy += 1;
    try {
      send(res, 200, await askFor(holder, session.server, message));
    } finally {
      session.busy -= 1;
      session.used = Date.now();
    }
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.stream?.end();
    session?.server.close();
  }

  /**
   * Ends the session that was used least recently by the key that has the most, so that no key ends those of the others.
   * @param next begins another
   */
  #makeRoom(next: KeyHolder): void {
    const counts = new Map<KeyHolder, number>([[next, 1]]);
    for (const { holder } of this.#sessions.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const [oldest] = [...this.#sessions]
      .filter(([, { holder }]) => counts.get(holder) === most)
      .sort(([, a], [, b]) => a.used - b.used);
    if (oldest) this.#end(oldest[0]);
  }
}

const event = (message: Fields) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Passes a message of the server on, or keeps it until the client listens. */
function deliver({ stream, held }: Session, message: Fields): void {
  if (stream && !stream.destroyed) {
    if (stream.writableLength <= MAX_UNREAD) return void stream.write(event(message));
    // The client doesn't read. It may listen again.
    stream.destroy();
  }
  held.push(event(message));
  const chars = () => held.reduce((sum, { length }) => sum + length, 0);
  while (held.length > MAX_HELD || chars() > MAX_HELD_CHARS) held.shift();
}

function openStream(session: Session, res: ServerResponse): void {
  session.stream?.end();
  session.stream = res;
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  res.flushHeaders();
  for (const told of session.held.splice(0)) res.write(told);
  res.on('close', () => {
    if (session.stream === res) session.stream = null;
    session.used = Date.now();
  });
}
