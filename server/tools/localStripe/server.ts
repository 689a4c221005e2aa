import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StripeAccount } from './account';
import { routes } from './api';
import { invalidRequest, parseForm, StripeFault } from './form';
import { answerPage } from './pages';
import { Webhooks } from './webhooks';

export interface LocalStripeOptions {
  port?: number;
  /** The only key it accepts. */
  key: string;
  /** The only API version it accepts; matches the server under test. */
  version: string;
  webhook_secret: string;
  /** URL for events; null holds them. */
  webhook_url?: string | null;
}

export interface LocalStripe {
  url: string;
  account: StripeAccount;
  webhooks: Webhooks;
  /** Requests in order: method and path. */
  requests: string[];
  /**
   * Fails the next requests, or those whose method and path match: before they take effect, or after, like a
   * connection that breaks before the reply.
   */
  fail(next: number, how: 'before' | 'after', which?: RegExp): void;
  stop(): Promise<void>;
}

const MAX_BYTES = 256 * 1024;

/** Starts a server that answers the used part of Stripe's API from its own state. */
export async function startLocalStripe(options: LocalStripeOptions): Promise<LocalStripe> {
  const webhooks = new Webhooks({ url: options.webhook_url ?? null, secret: options.webhook_secret });
  const account = new StripeAccount((event) => webhooks.publish(event), options.version);
  const requests: string[] = [];
  const replies = new Map<string, { print: string; status: number; body: string }>();
  let failing: { left: number; how: 'before' | 'after'; which: RegExp } = {
    left: 0,
    how: 'before',
    which: /./,
  };
  let base = '';

  function run(req: IncomingMessage, path: string, query: string, text: string) {
    const route = routes(base).find(([method, pattern]) => method === req.method && pattern.test(path));
    if (!route) throw invalidRequest(`Unrecognized request URL (${req.method}: ${path}).`, {}, 404);
    const [, pattern, act] = route;
    const form = parseForm(req.method === 'GET' ? query : text);
    return act(account, pattern.exec(path)?.[1] ?? '', form);
  }

  function answer(
    req: IncomingMessage,
    path: string,
    query: string,
    text: string,
  ): { status: number; body: string } {
    const key = req.headers['idempotency-key'];
    const print = createHash('sha256').update(`${req.method} ${path}?${query} ${text}`).digest('hex');
    const known = typeof key === 'string' ? replies.get(key) : undefined;
    if (known && known.print !== print)
      throw new StripeFault(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    if (known) return known;
    let reply: { status: number; body: string };
    try {
      reply = { status: 200, body: JSON.stringify(run(req, path, query, text), null, 2) };
    } catch (error) {
      // Stripe stores the replies of requests that started executing, including declined payments.
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
      reply = { status: error.status, body: JSON.stringify({ error: error.fault }) };
    }
    if (typeof key === 'string') replies.set(key, { print, ...reply });
    return reply;
  }

  const server = createServer((req, res) => {
    void serve(req, res).catch((error: unknown) => {
      const fault =
        error instanceof StripeFault
          ? error
          : new StripeFault(500, { type: 'api_error', message: String(error) });
      send(res, fault.status, JSON.stringify({ error: fault.fault }));
    });
  });

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '/', 'http://stripe.local');
    const text = await bodyOf(req);
    if (pathname.startsWith('/pay/')) return answerPage(account, { req, res, pathname, text });
    requests.push(`${req.method} ${pathname}`);
    if (req.headers.authorization !== `Bearer ${options.key}`)
      throw invalidRequest('Invalid API Key provided.', {}, 401);
    if (req.headers['stripe-version'] !== options.version)
      throw invalidRequest(`Invalid Stripe API version: ${String(req.headers['stripe-version'])}`);
    const fails = failing.left > 0 && failing.which.test(`${req.method} ${pathname}`);
    if (fails) failing.left -= 1;
    if (fails && failing.how === 'before')
      throw new StripeFault(500, { type: 'api_error', message: 'An error occurred.' });
    const reply = answer(req, pathname, search.slice(1), text);
    if (fails) return void res.destroy();
    send(res, reply.status, reply.body);
  }

  await listen(server, options.port ?? 0);
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    account,
    webhooks,
    requests,
    fail: (left, how, which = /./) => (failing = { left, how, which }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await webhooks.stop();
    },
  };
}

function send(res: ServerResponse, status: number, body: string): void {
  res
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(7).toString('hex')}`,
    })
    .end(body);
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw invalidRequest('The request is too large.', {}, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
