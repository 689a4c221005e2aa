import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ownValue } from '../../console/lib/ownValue';
import { holderOf, KeyHolder, keysFrom, OWNER } from './keys';
import type { Header } from './messages';

const MAX_BODY = 2 * 1024 * 1024;
const CLIENT_HEADERS = ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

interface Options {
  /** Bearer tokens that clients send, by name. */
  keys: ReadonlyMap<string, string>;
  /** Web pages that may call the server, such as `https://app.example.com`. Other clients send no origin. */
  origins: readonly string[];
  requests_per_minute: number;
  port: number;
}

/** A request that was admitted. */
export interface Admitted {
  req: IncomingMessage;
  res: ServerResponse;
  body: Buffer;
  holder: KeyHolder;
}

/** What answers the requests that are admitted. */
export interface Service {
  /** For errors and, if it has no title, the log. */
  name: 'The server' | 'The bridge';
  title?: string;
  /** Whether clients may send GET and DELETE, too. */
  has_sessions: boolean;
  /** Without it, the service is ready from the start. */
  isReady?: () => Promise<boolean>;
  answer: (request: Admitted) => Promise<void>;
}

/**
 * Reads the options from `MCP_KEY`, `MCP_KEYS`, `MCP_ORIGINS`, `MCP_REQUESTS_PER_MINUTE` and `PORT`. @throws with what to set
 */
export function optionsFrom(env: Readonly<Record<string, string | undefined>>): Options {
  const keys = keysFrom(env);
  const requests_per_minute = Number(env.MCP_REQUESTS_PER_MINUTE || 120);
  if (!Number.isInteger(requests_per_minute) || requests_per_minute < 1)
    throw new Error('Set MCP_REQUESTS_PER_MINUTE to a whole number from 1.');
  const origins = (env.MCP_ORIGINS ?? '').split(/[\s,]+/).filter(Boolean);
  return { keys, origins, requests_per_minute, port: Number(env.PORT || 8080) };
}

/**
 * Serves `/mcp` to clients with a key, and `/usage`, which says what the key was used for; with the owner's, what each was
 * used for. `/health` answers once the service is ready.
 */
export function openDoor(service: Service, options: Options): Server {
  const since = new Date().toISOString();
  const { requests_per_minute } = options;
  const holders = [...options.keys].map(([name, key]) => new KeyHolder(name, key, requests_per_minute));
  const methods = service.has_sessions ? ['GET', 'POST', 'DELETE'] : ['POST'];

  const admit = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname === '/health') {
      const is_ready = (await service.isReady?.()) ?? true;
      return send(res, is_ready ? 200 : 503, { status: is_ready ? 'ok' : 'starting' });
    }
    const metadata = `${baseOf(req)}/.well-known/oauth-protected-resource`;
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return send(res, 200, {
        resource: `${baseOf(req)}/mcp`,
        resource_name: service.title,
        bearer_methods_supported: ['header'],
      });
    if (pathname !== '/mcp' && pathname !== '/usage')
      return send(res, 404, { error: 'Send MCP requests to /mcp.' });
    const { origin } = req.headers;
    if (origin !== undefined && !options.origins.includes(origin))
      return send(res, 403, {
        error: 'This web page may not call the server. Add its origin to MCP_ORIGINS.',
      });
    if (origin !== undefined) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      if (service.has_sessions) res.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id');
      res.setHeader('Vary', 'Origin');
    }
    if (req.method === 'OPTIONS') {
      const headers = service.has_sessions
        ? [...CLIENT_HEADERS, 'Last-Event-ID', 'Mcp-Session-Id']
        : CLIENT_HEADERS;
      res.setHeader('Access-Control-Allow-Methods', pathname === '/usage' ? 'GET' : methods.join(', '));
      res.setHeader('Access-Control-Allow-Headers', headers.join(', '));
      return void res.writeHead(204).end();
    }
    const sent = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const holder = holderOf(holders, sent);
    if (!holder) {
      res.setHeader('WWW-Authenticate', `Bearer resource_metadata="${metadata}"`);
      return send(res, 401, { error: 'Send the key: Authorization: Bearer …' });
    }
    if (pathname === '/usage') {
      const keys = holder.name === OWNER ? holders : [holder];
      return send(res, 200, { requests_per_minute, since, ...holder.toJSON(), keys });
    }
    if (!methods.includes(req.method ?? '')) {
      const why = service.has_sessions ? '' : ' This server has no sessions and no streams.';
      res.setHeader('Allow', methods.join(', '));
      return send(res, 405, { error: `Send a POST.${why}` });
    }
    const seconds = holder.request();
    if (seconds > 0) {
      res.setHeader('Retry-After', String(seconds));
      return send(res, 429, {
        error: `Too many requests: the key may send ${requests_per_minute} per minute.`,
      });
    }
    const body = await bodyOf(req);
    if (body === null) {
      res.setHeader('Connection', 'close');
      return send(res, 413, { error: `The body is larger than ${MAX_BODY} bytes.` });
    }
    await service.answer({ req, res, body, holder });
  };

  const { name, title = name } = service;
  return createServer((req, res) => {
    admit(req, res).catch((error: unknown) => {
      console.error(error instanceof Error ? error.name : 'a request failed');
      if (!res.headersSent) send(res, 500, { error: `${name} failed.` });
      else res.destroy();
    });
  }).listen(options.port, () => console.log(`${title} listens on port ${options.port}`));
}

export const headersOf =
  (req: IncomingMessage): Header =>
  (name) =>
    [ownValue(req.headers, name)].flat()[0];

/** The address as the client knows it: a gateway in front ends TLS. */
function baseOf({ headers: { host = 'localhost' } }: IncomingMessage): string {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return `${isLocal ? 'http' : 'https'}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}

async function bodyOf(req: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Replies, unless there is a reply or nobody to get it. */
export function send(res: ServerResponse, status: number, body: object | null): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, {
    'Cache-Control': 'no-store',
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  });
  res.end(body === null ? undefined : JSON.stringify(body));
}
