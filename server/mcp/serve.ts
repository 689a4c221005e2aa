import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ownValue } from '../../console/lib/ownValue';
import { holderOf, KeyHolder, keysFrom, OWNER } from './keys';
import { answerMcp, type McpServer } from './protocol';

const MAX_BODY = 2 * 1024 * 1024;

interface Options {
  /** Bearer tokens that clients send, by name. */
  keys: ReadonlyMap<string, string>;
  /** Web pages that may call the server, such as `https://app.example.com`. Other clients send no origin. */
  origins: readonly string[];
  requests_per_minute: number;
  port: number;
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
 * used for. Logs a line per tool call, without arguments and results; `/health` answers once the server is ready.
 */
export function serve(mcp: McpServer, options: Options): Server {
  const since = new Date().toISOString();
  const { requests_per_minute } = options;
  const holders = [...options.keys].map(([name, key]) => new KeyHolder(name, key, requests_per_minute));

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname === '/health') return send(res, 200, { status: 'ok' });
    const metadata = `${baseOf(req)}/.well-known/oauth-protected-resource`;
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return send(res, 200, {
        resource: `${baseOf(req)}/mcp`,
        resource_name: mcp.title,
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
      res.setHeader('Vary', 'Origin');
    }
    if (req.method === 'OPTIONS') {
      res.setHeader('Access-Control-Allow-Methods', pathname === '/usage' ? 'GET' : 'POST');
      res.setHeader(
        'Access-Control-Allow-Headers',
        'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
      );
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
    if (req.method !== 'POST') {
      res.setHeader('Allow', 'POST');
      return send(res, 405, { error: 'Send a POST. This server has no sessions and no streams.' });
    }
    const seconds = holder.request();
    if (seconds > 0) {
      res.setHeader('Retry-After', String(seconds));
      return send(res, 429, {
        error: `Too many requests: the key may send ${requests_per_minute} per minute.`,
      });
    }
    const text = await bodyOf(req);
    if (text === null) {
      res.setHeader('Connection', 'close');
      return send(res, 413, { error: `The body is larger than ${MAX_BODY} bytes.` });
    }
    const header = (name: string) => [ownValue(req.headers, name)].flat()[0];
    const reply = await answerMcp(mcp, text, header, (call) => {
      holder.usage.call(call);
      const { tool, ms, failed } = call;
      console.log(`${new Date().toISOString()} ${tool} ${failed ? 'failed' : 'ok'} ${ms} ms`);
    });
    send(res, reply.status, reply.body);
  };

  return createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      console.error(error instanceof Error ? error.name : 'a request failed');
      if (!res.headersSent) send(res, 500, { error: 'The server failed.' });
      else res.destroy();
    });
  }).listen(options.port, () => console.log(`${mcp.title} listens on port ${options.port}`));
}

/** The address as the client knows it: a gateway in front ends TLS. */
function baseOf({ headers: { host = 'localhost' } }: IncomingMessage): string {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return `${isLocal ? 'http' : 'https'}://${/^[\w.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}

async function bodyOf(req: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function send(res: ServerResponse, status: number, body: object | null): void {
  res.writeHead(status, {
    'Cache-Control': 'no-store',
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  });
  res.end(body === null ? undefined : JSON.stringify(body));
}
