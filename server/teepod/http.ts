/** The HTTP surface: pRPC in JSON mode, serial logs, guest relay, container logs. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { containerLogs, flag, parseLogQuery } from './containerLogs';
import { findContainer } from './guest';
import { CHAIN_KMS_PATH } from './kms/keyServices';
import {
  call,
  chainKmsMethods,
  guestMethods,
  kmsMethods,
  VERSION,
  vmmMethods,
  type Method,
  type Surroundings,
} from './rpc';
import { CHANNELS } from './vmLog';
import { RpcError } from './wire';

const BODY_LIMIT = 10 * 2 ** 20;
const DEFAULT_LINES = 10_000;

export function teepodServer(surroundings: Surroundings): Server {
  const { manager } = surroundings;
  const tables: [string, Record<string, Method>][] = [
    ['/prpc/', vmmMethods(surroundings)],
    ['/kms/prpc/', kmsMethods(surroundings)],
    [`${CHAIN_KMS_PATH}/prpc/`, chainKmsMethods(surroundings)],
    ['/guest/', guestMethods(surroundings)],
  ];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    res.setHeader('X-App-Version', VERSION);
    res.setHeader('X-Accel-Buffering', 'no');
    const url = new URL(req.url ?? '/', 'http://teepod');
    if (!authorized(req, url, manager.config.token)) {
      res.setHeader('WWW-Authenticate', 'Basic realm="dstack-vmm API"');
      res.writeHead(401).end();
      return;
    }
    // Web pages in a browser on this machine can reach loopback too; none of our clients is a web page.
    const site = req.headers['sec-fetch-site'];
    if (req.headers.origin !== undefined || (site !== undefined && site !== 'none'))
      return send(res, 403, { error: 'Requests from web pages are not allowed' });
    for (const [prefix, methods] of tables) {
      if (!url.pathname.startsWith(prefix)) continue;
      const name = url.pathname
        .slice(prefix.length)
        .replace(/^(Teepod|KMS)\./, (found) => (trims(prefix, found) ? '' : found));
      const reply = await call(methods, name, await readRequest(req, url));
      send(res, 200, reply);
      return;
    }
    if (req.method !== 'GET') return send(res, 404, { error: 'Not found' });
    if (url.pathname === '/logs') return vmLogs(surroundings, url.searchParams, res);
    const agent = /^\/agent\/([^/]+)\/logs\/([^/]+)$/.exec(url.pathname);
    if (agent?.[1] && agent[2]) {
      const vm = manager.byInstance(agent[1]) ?? manager.find(agent[1]);
      if (!vm) return send(res, 404, { error: 'VM not found' });
      return serveContainerLogs(surroundings, vm.id, decodeURIComponent(agent[2]), url.searchParams, res);
    }
    if (url.pathname === '/') return send(res, 200, { name: 'teehouse local teepod', version: VERSION });
    send(res, 404, { error: 'Not found' });
  };
  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => fail(res, error));
  });
  server.requestTimeout = 60_000;
  return server;
}

function trims(prefix: string, found: string): boolean {
  return (
    (prefix === '/prpc/' && found === 'Teepod.') ||
    (prefix !== '/guest/' && prefix !== '/prpc/' && found === 'KMS.')
  );
}

export function send(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
}

function sendText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

export function fail(res: ServerResponse, error: unknown): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error instanceof PayloadTooLarge) res.setHeader('connection', 'close');
  send(res, 400, { error: error instanceof Error ? error.message : String(error) });
}

class PayloadTooLarge extends RpcError {}

async function readRequest(req: IncomingMessage, url: URL): Promise<unknown> {
  if (req.method === 'GET') return fromQuery(url.searchParams);
  if (req.method !== 'POST') throw new RpcError('Only GET and POST are supported');
  const json = url.searchParams.get('json');
  const asked = json !== null && ['', 'true', '1'].includes(json);
  if (!asked && !(req.headers['content-type'] ?? '').startsWith('application/json')) {
    throw new RpcError(
      'The local teepod supports only JSON: add ?json to the URL or send content-type application/json',
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > BODY_LIMIT) throw new PayloadTooLarge('payload too large');
    chunks.push(chunk as Buffer);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new RpcError(`Failed to decode request: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
}

const NUMBERS = new Set(['page', 'page_size', 'vcpu', 'memory', 'disk_size']);
const FLAGS = new Set(['brief', 'stopped', 'hugepages', 'pin_numa', 'no_tee']);

/** `?id=…&brief=true&ids[]=a&ids[]=b`; only a query may write numbers and flags as text. */
function fromQuery(query: URLSearchParams): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const list = /^(\w+)\[\d*\]$/.exec(name)?.[1];
    if (list) out[list] = [...((out[list] as string[] | undefined) ?? []), value];
    else if (NUMBERS.has(name) && /^\d{1,10}$/.test(value)) out[name] = Number(value);
    else if (FLAGS.has(name) && /^(true|false)$/.test(value)) out[name] = value === 'true';
    else out[name] = value;
  }
  return out;
}

/** Bearer, X-Admin-Token, Basic with the token as password or as user, and `?token=` on GET. */
function authorized(req: IncomingMessage, url: URL, token: string): boolean {
  if (token === '') return true;
  const given: string[] = [];
  const header = req.headers.authorization ?? '';
  if (/^bearer /i.test(header)) given.push(header.slice(7).trim());
  if (/^basic /i.test(header)) {
    const [user = '', ...password] = Buffer.from(header.slice(6), 'base64').toString('utf8').split(':');
    given.push(password.length > 0 && password.join(':') !== '' ? password.join(':') : user);
  }
  const admin = req.headers['x-admin-token'];
  if (typeof admin === 'string') given.push(admin);
  const query = url.searchParams.get('token');
  if (req.method === 'GET' && query !== null) given.push(query);
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given.some((one) => timingSafeEqual(hash(one), hash(token)));
}

async function vmLogs({ manager }: Surroundings, query: URLSearchParams, res: ServerResponse): Promise<void> {
  const id = query.get('id');
  if (id === null) return sendText(res, 422, 'id is missing');
  const vm = manager.find(id);
  if (!vm) return sendText(res, 404, 'VM not found');
  const asked = query.get('ch') ?? 'serial';
  const channel = CHANNELS.find((name) => name === asked);
  if (!channel) return sendText(res, 400, `Unknown channel ${asked}`);
  // As on a real host, a value that isn't a number is ignored.
  const lines = query.get('lines') ?? '';
  const options = {
    lines: /^\d{1,9}$/.test(lines) ? Number(lines) : DEFAULT_LINES,
    follow: flag(query, 'follow'),
    ansi: flag(query, 'ansi'),
    heartbeatMs: manager.config.heartbeat_ms,
  };
  await stream(res, 'text/plain; charset=utf-8', (signal) => vm.log.read(channel, options, signal));
}

export async function serveContainerLogs(
  { manager }: Surroundings,
  vmId: string,
  name: string,
  query: URLSearchParams,
  res: ServerResponse,
): Promise<void> {
  const vm = manager.get(vmId);
  parseLogQuery(query); // reports a mistake as 400 rather than a broken stream
  const container = await findContainer(vm, manager, name);
  if (!container) return send(res, 404, { error: `No such container: ${name}` });
  const type = flag(query, 'bare') ? 'text/plain; charset=utf-8' : 'application/x-ndjson';
  await stream(res, type, (signal) => containerLogs(manager, container, query, signal));
}

/** Applies backpressure: nothing is read from the source while the reader is slow. */
async function stream(
  res: ServerResponse,
  type: string,
  source: (signal: AbortSignal) => AsyncIterable<string | Buffer>,
): Promise<void> {
  const abort = new AbortController();
  res.once('close', () => abort.abort());
  res.writeHead(200, { 'content-type': type });
  res.flushHeaders();
  for await (const piece of source(abort.signal)) {
    if (abort.signal.aborted) return;
    if (!res.write(piece)) await once(res, 'drain', { signal: abort.signal }).catch(() => undefined);
  }
  res.end();
}
