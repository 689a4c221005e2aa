/** The calls made to an engine, which is only an HTTP server here. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { planCompose } from '../compose/plan';
import { Cgroups } from './cgroup';
import { DockerEngine } from './docker';
import { DockerApi } from './dockerApi';
import { dockerLogs } from './dockerLogs';
import { Registries } from './registries';
import { freeSubnets } from './subnets';
import type { StartRequest } from './types';

const LIMITS = { cpus: 1, memory_bytes: 512 * 2 ** 20, pids: 512 };

/** Replies by `METHOD /path`; a string is sent unchanged, a number is a status. */
let replies: Record<string, (res: ServerResponse) => unknown>;
let calls: string[];
let dir: string;
let engine: DockerEngine;

const server = createServer((req, res) => {
  const call = `${req.method} ${req.url?.replace('/v1.41', '')}`;
  calls.push(call);
  void (async () => {
    const reply: unknown = await replies[call.split('?')[0] ?? '']?.(res);
    if (res.destroyed) return;
    if (reply === undefined || typeof reply === 'number') res.writeHead(reply ?? 404).end('{}');
    else res.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  })();
});

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'docker-engine-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => {
  calls = [];
  replies = {};
  engine = open();
});

/** @param compose a program in place of Compose, which ignores its arguments */
function open(compose = ['true']): DockerEngine {
  const api = new DockerApi(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const cgroups = new Cgroups('1', '', false);
  return new DockerEngine(api, compose, 'teepod', cgroups, 2, new Registries(['docker.io']));
}

const request = (service: string, signal = new AbortController().signal): StartRequest => ({
  vm_id: 'vm',
  project: 'teehouse-vm',
  plan: planCompose(`services: {web: {${service}}}`, new Map(), LIMITS),
  limits: LIMITS,
  disk_gb: 1,
  dir,
  signal,
  log: () => undefined,
  redact: (text) => text,
});

test('stops dependents first, each with the time its Compose file sets', async () => {
  const of = (service: string, depends_on: string) => ({
    Id: service,
    State: 'running',
    Labels: { 'teehouse.service': service, 'com.docker.compose.depends_on': depends_on },
  });
  const both = [of('a', ''), of('b', 'a:service_healthy:false')];
  let running = 2;
  const stop = () => (running--, 204);
  replies = {
    'GET /containers/json': () => (running > 0 ? both : []),
    'GET /containers/a/json': () => ({ Config: { StopTimeout: 90 } }),
    'GET /containers/b/json': () => ({ Config: {} }),
    'POST /containers/a/stop': stop,
    'POST /containers/b/stop': stop,
  };
  await engine.stop('vm', 10);
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual([
    'POST /containers/b/stop?t=10',
    'POST /containers/a/stop?t=90',
  ]);
});

test.each([
  ['linux/amd64', ['POST /images/create?fromImage=nginx%3Alatest&platform=linux%2Famd64']],
  ['linux/arm64/v8', []],
])('pulls an image again if the one on this machine is not for %s', async (platform, pulls) => {
  replies = {
    'GET /images/nginx/json': () => ({ Os: 'linux', Architecture: 'arm64' }),
    'POST /images/create': () => '{"status":"Pull complete"}\n',
  };
  await engine.prepare(request(`image: nginx, platform: ${platform}`));
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual(pulls);
});

test('says that an image is too large', async () => {
  const layer = { status: 'Downloading', id: 'layer', progressDetail: { total: 2 ** 36 } };
  replies['POST /images/create'] = () => `${JSON.stringify(layer)}\n`;
  await expect(engine.prepare(request('image: nginx'))).rejects.toThrow(
    "couldn't pull image nginx: it is larger than 32 GB",
  );
});

test("doesn't wait for a pull if it was stopped just before", async () => {
  const stop = new AbortController();
  replies = {
    'GET /images/nginx/json': () => (stop.abort(), 404),
    'POST /images/create': () => new Promise((resolve) => setTimeout(() => resolve(500), 1_000)),
  };
  await expect(engine.prepare(request('image: nginx', stop.signal))).rejects.toThrow('stopped while pulling');
});

test('starts a CVM after an engine restart cut off an earlier boot', async () => {
  replies = {
    'POST /containers/create': (res) => res.destroy(),
    'GET /images/nginx/json': () => ({}),
    'GET /containers/json': () => [],
    'GET /networks': () => [],
  };
  await expect(engine.start(request('image: nginx'))).rejects.toThrow();
  replies['POST /containers/create'] = () => 500;
  await engine.start(request('image: nginx'));
});

test('logs the output of Compose by line, so that a secret in it can be redacted', async () => {
  replies = {
    'GET /images/nginx/json': () => ({}),
    'GET /containers/json': () => [],
    'GET /networks': () => [],
  };
  const lines: string[] = [];
  const command = ['sh', '-c', 'printf "no user secr"; sleep 0.3; echo et-value; printf end >&2'];
  await open(command).start({ ...request('image: nginx'), log: (line) => void lines.push(line) });
  expect(lines.sort()).toEqual(['end', 'no user secret-value']);
});

test('retries with the containers that hold anonymous volumes, and removes the volumes of dropped services', async () => {
  const [kept, dropped] = ['a'.repeat(64), 'b'.repeat(64)];
  const of = (Id: string, service: string, Created: number, Name: string) => ({
    Id,
    Created,
    State: 'exited',
    Mounts: [{ Type: 'volume', Name }],
    Labels: { 'teehouse.service': service, 'com.docker.compose.container-number': '1' },
  });
  let containers = [of('successor', 'web', 2, kept), of('web', 'web', 1, kept), of('old', 'old', 1, dropped)];
  const gone = (Id: string) => () => ((containers = containers.filter((one) => one.Id !== Id)), 204);
  replies = {
    'GET /images/nginx/json': () => ({}),
    'GET /networks': () => [{ Id: 'net', Name: 'teehouse-vm_default' }],
    'GET /containers/json': () => containers,
    'DELETE /containers/successor': gone('successor'),
    // Compose removes it in its second run.
    'DELETE /networks/net': gone('old'),
    [`DELETE /volumes/${dropped}`]: () => 204,
  };
  const script =
    'echo run "$@"; [ -e "$1" ] && exit; touch "$1"; echo "ERROR: Network needs to be recreated"; exit 1';
  const lines: string[] = [];
  const compose = ['sh', '-c', script, 'compose', join(dir, 'has-run')];
  await open(compose).start({ ...request('image: nginx'), log: (line) => void lines.push(line) });
  expect(calls.filter((call) => /^(DELETE|POST .*disconnect)/.test(call))).toEqual([
    'DELETE /containers/successor?force=1&v=1',
    'POST /networks/net/disconnect',
    'POST /networks/net/disconnect',
    'DELETE /networks/net',
    `DELETE /volumes/${dropped}?force=1`,
  ]);
  const runs = lines.filter((line) => line.startsWith('run'));
  expect(runs.map((line) => line.endsWith('--force-recreate'))).toEqual([false, true]);
});

test('redacts a long secret before it cuts the error', async () => {
  replies = {
    'GET /images/nginx/json': () => ({}),
    'GET /containers/json': () => [],
    'GET /networks': () => [],
  };
  const secret = 'secret'.repeat(500);
  const started = open(['sh', '-c', `echo invalid value ${secret}; exit 1`]).start({
    ...request('image: nginx'),
    redact: (text) => text.replaceAll(secret, '***'),
  });
  await expect(started).rejects.toThrow(/^invalid value \*\*\*$/);
});

test('CPU time does not jump when two readers query it and the older count arrives last', async () => {
  const counts = [
    { after: 100, total_usage: 5_000_000 },
    { after: 0, total_usage: 6_000_000 },
  ];
  replies = {
    'GET /containers/json': () => [{ Id: 'a', State: 'running', Labels: {} }],
    'GET /system/df': () => ({ Containers: [{ Labels: { 'teehouse.vm': 'vm' }, SizeRw: 1 }] }),
    'GET /containers/a/stats': async () => {
      const { after, total_usage } = counts.shift() ?? { after: 0, total_usage: 6_000_000 };
      await new Promise((resolve) => setTimeout(resolve, after));
      return { cpu_stats: { cpu_usage: { total_usage } } };
    },
  };
  await Promise.all([engine.usage('vm'), engine.usage('vm')]);
  expect(await engine.usage('vm')).toMatchObject({ cpu_us: 6_000, disk_bytes: 1 });
});

test('reports memory although the engine takes minutes to count the disk', async () => {
  replies = {
    'GET /containers/json': () => [{ Id: 'a', State: 'running', Labels: {} }],
    'GET /containers/a/stats': () => ({ memory_stats: { usage: 7 } }),
    'GET /system/df': () => new Promise(() => undefined),
  };
  const slow = new Promise((resolve) => setTimeout(() => resolve('nothing'), 10_000).unref());
  expect(await Promise.race([engine.usage('vm'), slow])).toMatchObject({ memory_bytes: 7 });
});

test('splits a long line of a log between characters', async () => {
  const line = `ab${'漢'.repeat(50_000)}\n`;
  replies = {
    'GET /containers/a/json': () => ({ Config: { Tty: true } }),
    'GET /containers/a/logs': () => line,
  };
  const query = { follow: false, timestamps: false, tail: -1, since: 0, until: 0 };
  const pieces: string[] = [];
  for await (const { message } of dockerLogs(engine.api, 'a', query, new AbortController().signal))
    pieces.push(message.toString('utf8'));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe(line);
});

test('gives a network addresses for the 64 containers that a Compose file may define', () => {
  const [subnet = ''] = freeSubnets(1, []);
  const reserved = 3; // network, broadcast and gateway
  expect(2 ** (32 - Number(subnet.split('/')[1])) - reserved).toBeGreaterThanOrEqual(64);
});
