/**
 * A small stand-in for dstack-gateway: `<app_id|instance_id>[-<port>].cvm.localhost` → the published port of
 * a container.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { capitalized } from '../../console/lib/texts/capitalized';
import { readAppCompose } from './appCompose';
import { publicInfo } from './guest';
import { fail, send, serveContainerLogs } from './http';
import { GUEST_AGENT_PORT, type Surroundings } from './rpc';
import type { Vm } from './vm';

const CONNECT_MS = 10_000;
/** Idle timeout of dstack-gateway connections. */
const IDLE_MS = 600_000;
const CACHE_MS = 2_000;

class NoRoute extends Error {}

interface Target {
  host: string;
  port: number;
}

export function gatewayServer(surroundings: Surroundings): Server {
  const router = new Router(surroundings);
  const server = createServer((req, res) => {
    router.handle(req, res).catch((error: unknown) => {
      if (error instanceof NoRoute) page(res, error.message);
      else fail(res, error);
    });
  });
  server.on('upgrade', (req, socket, head) => {
    router.upgrade(req, socket, head).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'no route';
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${reason}\n`,
      );
    });
  });
  // An upload may take longer than Node's 5 minutes; what is idle ends after IDLE_MS.
  server.requestTimeout = 0;
  return server;
}

class Router {
  readonly #cache = new Map<string, { target: Target; until: number }>();

  constructor(readonly surroundings: Surroundings) {}

  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { vm, port } = this.#route(req);
    if (port === GUEST_AGENT_PORT) return this.#agent(vm, req, res);
    const target = await this.#target(vm, port);
    const upstream = request({
      ...target,
      method: req.method,
      path: req.url,
      headers: forwarded(req),
      timeout: IDLE_MS,
    });
    upstream.on('response', (answer) => {
      const { statusCode = 502, rawHeaders } = answer;
      try {
        // Omits the container's status text, which may contain invalid characters.
        res.writeHead(statusCode, rawHeaders);
        // An event stream may send nothing else for minutes.
        res.flushHeaders();
      } catch {
        upstream.destroy(new Error(`its response is not valid HTTP (status ${statusCode})`));
        return;
      }
      // Propagates a truncated response: readers must not take it for a complete one, nor wait for the rest.
      pipeline(answer, res, () => undefined);
    });
    upstream.on('timeout', () => upstream.destroy(new Error('the container did not respond')));
    upstream.on('error', (error) => {
      this.#cache.delete(`${vm.id}/${port}`);
      if (res.headersSent) res.destroy();
      else page(res, `port ${port} of the CVM is not responding: ${error.message}`);
    });
    // A 101 that the client didn't request ends without a response or an error.
    upstream.once('close', () =>
      page(res, `port ${port} of the CVM ended the connection without a response`),
    );
    res.once('close', () => upstream.destroy());
    req.pipe(upstream);
  }

  async upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // The server no longer handles the socket: without a listener, a client that disconnects would end this
    // process.
    socket.on('error', () => socket.destroy());
    const { vm, port } = this.#route(req);
    const target = await this.#target(vm, port);
    const upstream = connect({ ...target, timeout: CONNECT_MS });
    const end = (): void => {
      upstream.destroy();
      socket.destroy();
    };
    upstream.once('connect', () => {
      upstream.setTimeout(IDLE_MS);
      const lines = [`${req.method} ${req.url} HTTP/1.1`];
      for (let index = 0; index < req.rawHeaders.length; index += 2)
        lines.push(`${req.rawHeaders[index]}: ${req.rawHeaders[index + 1]}`);
      // Node's form of a header: one character per byte.
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.once('timeout', end).once('error', end).once('close', end);
    socket.once('error', end).once('close', end);
  }

  #route(req: IncomingMessage): { vm: Vm; port: number } {
    const host = (req.headers.host ?? '').toLowerCase();
    const match = /^([0-9a-f]{40})(?:-(\d{1,5})?([sg])?)?\.cvm\.localhost(?::\d+)?$/.exec(host);
    if (!match?.[1]) throw new NoRoute('the address must be <app ID or instance ID>-<port>.cvm.localhost');
    if (match[3]) throw new NoRoute('TLS suffixes (s, g) require a real gateway; omit the letter');
    const { manager } = this.surroundings;
    const byApp = manager.list().filter((vm) => vm.record.app_id === match[1]);
    const vm = manager.byInstance(match[1]) ?? byApp.findLast((one) => one.alive) ?? byApp[0];
    if (!vm) throw new NoRoute('no CVM on this host has this app ID or instance ID');
    if (!vm.boot || !readAppCompose(vm.boot.compose_file).gateway_enabled)
      throw new NoRoute('this CVM has no gateway (gateway_enabled is false) or has not booted yet');
    return { vm, port: Number(match[2] ?? 80) };
  }

  async #target(vm: Vm, port: number): Promise<Target> {
    if (!vm.alive) throw new NoRoute(`the CVM is ${vm.status}`);
    if (this.surroundings.manager.engine.kind === 'simulated') {
      throw new NoRoute(
        'containers are simulated on this machine: no Docker engine is responding, so nothing listens on this port',
      );
    }
    const key = `${vm.id}/${port}`;
    const cached = this.#cache.get(key);
    if (cached && cached.until > Date.now()) return cached.target;
    const plan = vm.boot?.ports.find((one) => one.vm_port === port && one.protocol === 'tcp');
    if (!plan) {
      const known = vm.boot?.ports.map((one) => one.vm_port).join(', ') || 'none';
      throw new NoRoute(`port ${port} is not published by the Compose file (published: ${known})`);
    }
    const target = await this.surroundings.manager.engine.endpoint(vm.id, plan);
    if (!target) throw new NoRoute(`the container of service ${plan.service} is not running`);
    if (this.#cache.size > 10_000) this.#cache.clear();
    this.#cache.set(key, { target, until: Date.now() + CACHE_MS });
    return target;
  }

  async #agent(vm: Vm, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://agent');
    const app = readAppCompose(vm.boot?.compose_file ?? vm.config.compose_file);
    const logs = /^\/logs\/([^/]+)$/.exec(url.pathname)?.[1];
    if (logs !== undefined) {
      if (!app.public_logs) return send(res, 403, { error: 'this CVM’s logs are not public' });
      return serveContainerLogs(this.surroundings, vm.id, decodeURIComponent(logs), url.searchParams, res);
    }
    if (/^\/prpc\/(Worker\.)?Info$/.test(url.pathname)) {
      return send(res, 200, publicInfo(vm, this.surroundings.manager.tools));
    }
    send(res, 404, { error: 'Not found' });
  }
}

function forwarded(req: IncomingMessage): IncomingMessage['headers'] {
  return {
    ...req.headers,
    'x-forwarded-for': req.socket.remoteAddress,
    'x-forwarded-host': req.headers.host,
    'x-forwarded-proto': 'http',
  };
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function page(res: ServerResponse, reason: string): void {
  if (res.headersSent || res.destroyed) return;
  const sentence = `${capitalized(reason)}${/[.!?]$/.test(reason) ? '' : '.'}`;
  const text = sentence.replace(/[&<>"]/g, (char) => escapes[char] ?? char);
  const html = `<!doctype html><meta charset="utf-8"><title>502</title><h1>No running container at this address</h1><p>${text}</p><p>Local teepod, no hardware TEE.</p>`;
  res
    .writeHead(502, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    })
    .end(html);
}
