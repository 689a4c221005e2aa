import { createServer as createHttp } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listOf } from '../../domain/core/outbound';
import { verdictOf } from '../../domain/network/reachVerdict';
import { selfSigned } from '../../testing/certificate';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { createDnsDriver } from '../dns/resolver';
import type { ProbeTarget } from './index';
import { createProbe } from './reach';

/** Real servers of every kind that may be behind a gateway. */
const HOST = 'app.gw.test';
let dns: TestDns;
let identity: { key: string; cert: string };
const open: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  dns = await startDnsServer();
  identity = selfSigned(HOST);
});
beforeEach(() => {
  dns.zone.clear();
  dns.broken.clear();
  dns.set(HOST, { type: 'A', value: '127.0.0.1' });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of open) server.close();
  await dns.close();
});

async function listening(server: Server): Promise<number> {
  open.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const site = (status = 200, body = 'hello') => createHttp((_req, res) => res.writeHead(status).end(body));
const tls = (answer: (socket: Socket) => void, ALPNProtocols = ['http/1.1']) =>
  createTls({ ...identity, ALPNProtocols }, (socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });

const reach = (port: number, change: Partial<ProbeTarget> = {}, loopback = true) =>
  createProbe(createDnsDriver([dns.address]), { allow: listOf([]), loopback }).reach(
    { host: HOST, port, tls: 'none', only: null, local: false, ...change },
    AbortSignal.timeout(20_000),
  );
const states = async (...given: Parameters<typeof reach>) =>
  (await reach(...given)).steps.map(({ name, state }) => `${name} ${state}`);
const about = { form: 'http', port: 80, kind: 'dstack_vmm', status: 'running' } as const;

describe('a target that responds', () => {
  it('over HTTP is read up to its status', async () => {
    const port = await listening(site(404));
    const found = await reach(port);
    expect(found.status).toBe(404);
    expect(found.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'skipped', 'passed']);
    expect(found.steps.every(({ ms, state }) => (ms === null) === (state === 'skipped'))).toBe(true);
    expect(verdictOf(found, about)).toMatchObject({ reachable: true, what_to_do: null });
  });

  it('with an error counts as reached', async () => {
    const found = await reach(await listening(site(503, '<p>out</p>')));
    expect(found.steps.at(-1)).toMatchObject({ name: 'http', state: 'warning' });
    expect(verdictOf(found, about)).toMatchObject({
      reachable: true,
      summary: expect.stringContaining('503'),
    });
  });

  it("on a local teepod's machine is explained by its gateway", async () => {
    const port = await listening(site(502, '<h1>x</h1><p>Port 80 is not published by &lt;it&gt;.</p>'));
    const found = await reach(port, { host: 'a.cvm.localhost', local: true });
    expect(verdictOf(found, { ...about, kind: 'local' })).toMatchObject({
      reachable: false,
      summary: 'The gateway responds, but port 80 is not published by <it>.',
      what_to_do: 'Check the containers and their logs.',
    });
    expect(verdictOf(found, { ...about, kind: 'local', simulated: true }).what_to_do).toBe(
      'Ask an administrator to run a Docker engine on the host.',
    );
  });

  it('over untrusted TLS is reached, with a warning', async () => {
    const port = await listening(
      tls((socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n'))),
    );
    const found = await reach(port, { tls: 'tls' });
    expect(found.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'warning', 'passed']);
    expect(found.steps[2]?.detail).toMatch(/TLSv1\.3.*self-signed/);
    expect(verdictOf(found, { ...about, form: 'tls' })).toMatchObject({
      reachable: true,
      what_to_do: expect.stringContaining('The app serves the certificate'),
    });
  });

  it('over TLS in another protocol counts as another kind of service', async () => {
    const port = await listening(tls((socket) => socket.end('SSH-2.0-x\r\n')));
    const found = await reach(port, { tls: 'tls' });
    expect(found.steps.at(-1)).toMatchObject({ state: 'failed' });
    expect(verdictOf(found, { ...about, form: 'tls' }).reachable).toBe(true);
    expect(verdictOf(found, about).reachable).toBe(false);
  });

  it('as gRPC must negotiate HTTP/2', async () => {
    const two = await listening(tls(() => undefined, ['h2']));
    expect(await states(two, { tls: 'h2' })).toEqual([
      'dns passed',
      'tcp passed',
      'tls warning',
      'http skipped',
    ]);
    const one = await listening(tls(() => undefined, ['http/1.1']));
    expect(await states(one, { tls: 'h2' })).toEqual([
      'dns passed',
      'tcp passed',
      'tls failed',
      'http skipped',
    ]);
  });
});

describe("a target that doesn't respond", () => {
  const free = async () => {
    const server = createServer();
    const port = await listening(server);
    server.close();
    return port;
  };
  it.each<[string, () => Promise<number>, Partial<ProbeTarget>, string, RegExp]>([
    ['nobody listens', free, {}, 'tcp failed', /refused/],
    [
      'closed without a response',
      () => listening(createServer((socket) => socket.end())),
      {},
      'http failed',
      /without a response/,
    ],
    [
      'no HTTP',
      () => listening(createServer((socket) => socket.end('+OK\r\n'))),
      {},
      'http failed',
      /not in HTTP/,
    ],
    ['no TLS', () => listening(site()), { tls: 'tls' }, 'tls failed', /TLS/],
    [
      'closed during TLS',
      () => listening(createServer((socket) => socket.once('data', () => socket.destroy()))),
      { tls: 'tls' },
      'tls failed',
      /closed|cut off|disconnected/,
    ],
    [
      'a flood of invalid data',
      () =>
        listening(
          createServer((socket) => {
            const more = () => socket.write('x'.repeat(65_536)) && setImmediate(more);
            more();
          }),
        ),
      {},
      'http failed',
      /not in HTTP/,
    ],
  ])('%s', async (_what, serve, change, step, message) => {
    const found = await reach(await serve(), change);
    const failed = found.steps.find(({ state }) => state === 'failed');
    expect(`${failed?.name} ${failed?.state}`).toBe(step);
    expect(failed?.detail).toMatch(message);
    expect(found.steps.map(({ name }) => name).sort()).toEqual(['dns', 'http', 'tcp', 'tls']);
    const verdict = verdictOf(found, about);
    expect([verdict.reachable, verdict.what_to_do === null]).toEqual([false, false]);
  });

  it('times out per step', async () => {
    const port = await listening(createServer(() => undefined));
    expect(await states(port, { tls: 'tls' })).toContain('tls failed');
  });

  it('is canceled when the caller disconnects', async () => {
    const port = await listening(createServer(() => undefined));
    const probe = createProbe(createDnsDriver([dns.address]), { allow: listOf([]), loopback: true });
    await expect(
      probe.reach({ host: HOST, port, tls: 'none', only: null, local: false }, AbortSignal.timeout(300)),
    ).rejects.toThrow();
  });
});

describe('sends nothing', () => {
  let asked = 0;
  let port = 0;
  beforeAll(async () => {
    port = await listening(
      createServer((socket) => {
        asked += 1;
        socket.destroy();
      }),
    );
  });
  it.each<[string, () => void, Partial<ProbeTarget>, boolean, RegExp]>([
    ['into this machine', () => undefined, {}, false, /not allowed: it points to this server itself/],
    [
      'to metadata services',
      () => dns.set(HOST, { type: 'A', value: '169.254.169.254' }),
      {},
      true,
      /private network/,
    ],
    [
      'if one of several addresses is private',
      () => dns.set(HOST, { type: 'A', value: '198.41.0.4' }, { type: 'AAAA', value: 'fd00::1' }),
      {},
      true,
      /fd00::1/,
    ],
    [
      'to addresses other than the gateway',
      () => undefined,
      { only: ['203.0.113.10'] },
      true,
      /not the gateway/,
    ],
    ['to an app without a gateway', () => undefined, { only: [] }, true, /not the gateway/],
    ['to names without an address', () => dns.zone.delete(HOST), {}, true, /app\.gw\.test doesn't exist/],
    ['to names with wrong DNS records', () => void dns.broken.add(HOST), {}, true, /SERVFAIL/],
  ])('%s', async (_what, publish, change, loopback, message) => {
    publish();
    const found = await reach(port, change, loopback);
    expect(found.steps.map(({ state }) => state)).toEqual(['failed', 'skipped', 'skipped', 'skipped']);
    expect(found.steps[0]?.detail).toMatch(message);
    expect(asked).toBe(0);
  });
});
