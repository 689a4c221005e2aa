import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ownValue } from '../../../console/lib/ownValue';
import { RpcError as Refused } from '../../teepod/wire';
import { atLeast } from './capabilities';
import { fakeHost } from './fakeHost';

export interface FakeOptions {
  version?: string;
  token?: string;
  /** listen here instead of on a loopback port */
  socketPath?: string;
  tls?: { key: string; cert: string };
  /** milliseconds between two boot stages */
  stage_ms?: number;
  gpus?: FakeGpu[];
  /** `[cvm.gpu] allow_attach_all`; false if absent */
  allow_attach_all?: boolean;
  /** `[cvm.port_mapping] enabled`; true if absent */
  port_mapping?: boolean;
  images?: string[];
  /** images in the host's registry, by tag; absent: no registry is configured */
  registry?: RegistryImage[];
  /** receives each request before it is handled; `go` handles it, now or later */
  gate?: (request: IncomingMessage, response: ServerResponse, go: () => void) => void;
}

/**
 * An entry of ListRegistryImages. The fields are dstack-vmm's, but no recording has one: the recorded hosts
 * have no registry. That a pull sets `pulling` until it ends, and `error` afterward, is inferred.
 */
interface RegistryImage {
  tag: string;
  local: boolean;
  pulling: boolean;
  error: string;
}

export interface FakeGpu {
  slot: string;
  product_id: string;
  description: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => unknown;

export interface FakeVmm {
  url: string;
  /** The same host at a separate address, as behind a proxy: one address can't belong to two teepods. */
  at(name: string): string;
  /** requested paths, in order, with query */
  requests: string[];
  /** bodies of the same requests */
  bodies: Record<string, unknown>[];
  /** IDs of VMs that the host can't load: it neither lists nor knows them */
  hidden: Set<string>;
  /** IDs whose process the supervisor runs although the host doesn't list them */
  processes: Set<string>;
  /** its VMs, including hidden ones */
  vms(): { id: string; name: string; status: string; vcpu: number; memory: number; disk_size: number }[];
  /** the host's API restarts under its running VMs, which forget their events */
  restart(): void;
  /** handles a path itself from now on, unless it returns `pass` */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

const ALIAS = /^\/at\/[^/]+/;

/** Method names of the three services, by the path they are called on. */
const PREFIXES = { prpc: '', guest: 'guest/', 'kms/prpc': 'kms/' };

function isAuthorized({ headers }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return true;
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ');
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString().endsWith(`:${token}`);
  return scheme === 'Bearer' && value === token;
}

/**
 * A host for tests: dstack-vmm's JSON mode with its life cycle and quirks, over http, https or a Unix socket. It
 * holds VMs in memory and boots them in milliseconds; nothing runs.
 */
export async function startFakeVmm(options: FakeOptions = {}): Promise<FakeVmm> {
  const { vms, hidden, processes, methods, version, halt, restart } = fakeHost(options);
  const answers = new Map<string, Answer>();
  const requests: string[] = [];
  const bodies: Record<string, unknown>[] = [];

  const logs = (query: URLSearchParams, response: ServerResponse) => {
    const id = query.get('id');
    if (id === null) return response.writeHead(422).end();
    const recent = atLeast(version, '0.6.0');
    const vm = vms.get(id);
    // Before 0.6, an unknown VM has an empty log.
    if (!vm) return response.writeHead(recent ? 404 : 200).end(recent ? 'VM not found' : '');
    const channel = query.get('ch') ?? 'serial';
    if (!['serial', 'stdout', 'stderr'].includes(channel))
      return response.writeHead(recent ? 400 : 200).end(`Unknown channel ${channel}`);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    let text = channel === 'serial' ? vm.serial : '';
    const lines = /^\d+$/.test(query.get('lines') ?? '') ? Number(query.get('lines')) : 10_000;
    text =
      lines === 0
        ? ''
        : text
            .split(/(?<=\n)/)
            .slice(-lines)
            .join('');
    // eslint-disable-next-line no-control-regex
    if (query.get('ansi') !== 'true') text = text.replace(/\u001b\[\d+m/g, '');
    if (query.get('follow') !== 'true') return response.end(text);
    return response.write(`${text}[vmm heartbeat]\n`);
  };
  const agent = (path: string, query: URLSearchParams, response: ServerResponse) => {
    const [, instance, container] = /^\/agent\/([^/]+)\/logs\/([^/]+)$/.exec(path) ?? [];
    const vm = [...vms.values()].find(({ info }) => info.instance_id === instance);
    if (!vm || container !== 'web') return response.writeHead(404).end('No such container');
    const message = query.has('text') ? 'hello\n' : Buffer.from('hello\n').toString('base64');
    const line = query.has('bare') ? 'hello\n' : `${JSON.stringify({ channel: 'stdout', message })}\n`;
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    return query.has('follow') ? response.write(line) : response.end(line);
  };

  const handle = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => {
    const address = (request.url ?? '/').replace(ALIAS, '');
    const url = new URL(address, 'http://fake');
    requests.push(address);
    bodies.push(body);
    const own = answers.get(url.pathname);
    if (own && own(request, response, body) !== 'pass') return;
    if (!isAuthorized(request, options.token) && (atLeast(version, '0.6.0') || url.pathname === '/logs'))
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="dstack-vmm API"' }).end();
    if (url.pathname === '/logs') return logs(url.searchParams, response);
    if (url.pathname.startsWith('/agent/')) return agent(url.pathname, url.searchParams, response);
    const [, area, name] = /^\/(prpc|guest|kms\/prpc)\/(?:Teepod\.)?([\w.]+)$/.exec(url.pathname) ?? [];
    if (name === undefined) return response.writeHead(404).end();
    const method = ownValue(methods, `${ownValue(PREFIXES, area!) ?? ''}${name}`);
    const reply = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-app-version': version })
        .end(JSON.stringify(value));
    if (!method) return reply(400, { error: `Service not found: ${name}` });
    try {
      return reply(200, method(body) ?? null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return reply(400, { error: error.message });
    }
  };

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      let body: Record<string, unknown>;
      try {
        body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      } catch {
        return void response
          .writeHead(400)
          .end('{"error": "EOF while parsing an object at line 1 column 1"}');
      }
      const go = () => void handle(request, response, body);
      if (options.gate) options.gate(request, response, go);
      else go();
    });
  };
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (options.socketPath !== undefined) server.listen(options.socketPath, resolve);
    else server.listen(0, '127.0.0.1', resolve);
  });
  const scheme = options.tls ? 'https' : 'http';
  const url =
    options.socketPath === undefined
      ? `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
      : `unix:${options.socketPath}`;
  return {
    url,
    at: (name) => `${url}${options.socketPath === undefined ? '' : ':'}/at/${name}`,
    requests,
    bodies,
    hidden,
    processes,
    vms: () =>
      [...vms.values()].map(({ info: { id, name, status }, config: { vcpu, memory, disk_size } }) => ({
        id,
        name,
        status,
        vcpu,
        memory,
        disk_size,
      })),
    restart,
    on: (path, answer) => answers.set(path, answer),
    async close() {
      for (const vm of vms.values()) halt(vm);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
