import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { startChaosServer, type ChaosServer } from '../testing/chaosServer';
import { watchMachineLag } from '../testing/machineLag';
import { eventually } from '../testing/server';

/**
 * Inputs that once froze or killed the server, through every entry point. Throughout, /healthz responds within a
 * second, memory stays bounded, and each reply is an error with advice.
 */
let server: ChaosServer;
let cvm: { vm_uuid: string; app_id: string };

const GOOD = 'services:\n  web:\n    image: nginx\n    ports: ["80:80"]\n';

beforeAll(async () => {
  server = await startChaosServer();
  const made = await server.deploy(() => false, 'victim', GOOD);
  cvm = { vm_uuid: String(made?.vm_uuid), app_id: String(made?.app_id) };
  await eventually('the CVM is running', async () => (await getCvm())?.body.status === 'running');
  // Warm-up: the worker threads run and every module is loaded before measuring.
  for (const [, send] of ENTRIES) await send('services: [');
}, 180_000);
afterAll(() => server.close());

const getCvm = () => server.call('GET', `/cvms/${cvm.vm_uuid}`);

async function call(
  id: OperationId,
  { path = {}, query = '', body }: { path?: Record<string, string>; query?: string; body?: unknown },
): Promise<{ status: number; text: string }> {
  const spec = operations[id];
  const address = spec.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => new Map(Object.entries(path)).get(name) ?? '',
  );
  const reply = await fetch(`${server.url}/api/v1${address}${query}`, {
    method: spec.method.toUpperCase(),
    headers: {
      cookie: server.cookie(),
      ...(body === undefined
        ? {}
        : { 'content-type': typeof body === 'string' ? 'text/yaml' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  if (reply.headers.get('content-type')?.includes('event-stream')) {
    await reply.body?.cancel();
    return { status: reply.status, text: '' };
  }
  return { status: reply.status, text: await reply.text() };
}

type Send = (docker_compose_file: string) => Promise<{ status: number; text: string }>;
const deployment = (docker_compose_file: string) => ({
  name: 'attack',
  compose_file: { docker_compose_file },
});

/** Every entry point for a Compose file. */
const ENTRIES: [OperationId, Send][] = [
  ['deployPreflight', (file) => call('deployPreflight', { body: deployment(file) })],
  ['provisionCvm', (file) => call('provisionCvm', { body: deployment(file) })],
  [
    'provisionCvmComposeFile',
    (file) =>
      call('provisionCvmComposeFile', { path: { cvm_id: cvm.vm_uuid }, body: { docker_compose_file: file } }),
  ],
  [
    'updateDockerCompose',
    (file) => call('updateDockerCompose', { path: { cvm_id: cvm.vm_uuid }, body: file }),
  ],
  [
    'patchCvm',
    (file) => call('patchCvm', { path: { cvm_id: cvm.vm_uuid }, body: { docker_compose_file: file } }),
  ],
  [
    'createRollout',
    (file) => call('createRollout', { path: { app_id: cvm.app_id }, body: { docker_compose_file: file } }),
  ],
  [
    'createAppInstance',
    (file) =>
      call('createAppInstance', { path: { app_id: cvm.app_id }, body: { docker_compose_file: file } }),
  ],
];

const times = <T>(n: number, line: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => line(i));

/** 161 KB whose expanded ports would be 180 million entries. */
const rangesTimesAliases = [
  'x-ports: &p',
  ...times(3_000, (i) => `  - "${1 + i}-${1000 + i}:${1 + i}-${1000 + i}"`),
  'services:',
  ...times(1_900, (i) => `  s${i}: { image: a, ports: *p }`),
].join('\n');

const HOSTILE: [string, string][] = [
  ['port ranges times aliases', rangesTimesAliases],
  [
    'few services with aliased ranges',
    `x-p: &p [${times(250, (i) => `"${1 + i}-${1000 + i}:${1 + i}-${1000 + i}"`).join(',')}]\nservices:\n${times(200, (i) => `  s${i}: {image: a, ports: *p}`).join('\n')}`,
  ],
  ['10,000 services', `services:\n${times(10_000, (i) => `  s${i}: {image: a}`).join('\n')}`],
  [
    'aliases of aliases',
    `x-a0: &a0 [x]\n${times(25, (i) => `x-a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i}]`).join('\n')}\nservices: {web: {image: a, command: *a25}}`,
  ],
  [
    'an aliased environment',
    `x-e: &e\n${times(9_000, (i) => `  K${i}: \${V${i}}`).join('\n')}\nservices:\n${times(250, (i) => `  s${i}: {image: a, environment: *e}`).join('\n')}`,
  ],
  ['deep brackets', `services: ${'['.repeat(150_000)}`],
  ['deep mappings', '{a: '.repeat(45_000)],
  ['unclosed variables', `services:\n  web:\n    image: a\n    command: '${'${A'.repeat(60_000)}'`],
];

interface Health {
  slowestMs: number;
  /** Longest delay caused by the machine itself, in milliseconds. */
  lagMs: number;
  answers: number;
}

/** Polls /healthz while `work` runs. */
async function watched(work: () => Promise<void>): Promise<Health> {
  const health: Health = { slowestMs: 0, lagMs: 0, answers: 0 };
  const lag = watchMachineLag();
  let done = false;
  const watch = async () => {
    while (!done) {
      const since = performance.now();
      const { status } = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(30_000) });
      expect(status).toBe(200);
      health.slowestMs = Math.max(health.slowestMs, performance.now() - since);
      health.answers += 1;
      await wait(20);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    done = true;
    await watching;
    health.lagMs = lag.slowestMs();
    lag.stop();
  }
  return health;
}

async function survives(work: () => Promise<void>): Promise<void> {
  const before = server.residentMb();
  const { slowestMs, lagMs, answers } = await watched(work);
  expect(answers).toBeGreaterThan(0);
  // A blocked event loop stalls the server for many seconds while this process's timers stay punctual.
  expect(slowestMs).toBeLessThan(1_000 + 10 * lagMs);
  expect(server.residentMb()).toBeLessThan(before * 2 + 300);
}

describe('a hostile Compose file', () => {
  it.each(HOSTILE)('%s: every entry point rejects it, and the server stays up', async (_name, file) => {
    expect(Buffer.byteLength(file)).toBeLessThan(204_800);
    await survives(async () => {
      const answers = await Promise.all(
        ENTRIES.map(async ([id, send]) => {
          const { status, text } = await send(file);
          return [id, status, text.length < 20_000 && /docker_compose_file/.test(text)];
        }),
      );
      expect(answers).toEqual(ENTRIES.map(([id]) => [id, 400, true]));
    });
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'treats %s as a key like any other name',
    async (key) => {
      await survives(async () => {
        const files = [
          `${key}: 1\n${GOOD}`,
          `services:\n  ${key}:\n    image: a\n`,
          `services:\n  web:\n    image: a\n    ${key}: 1\n`,
          `services:\n  web:\n    image: a\n    environment:\n      ${key}: \${${key}}\n`,
          `services:\n  web:\n    image: a\n    volumes: ["${key}:/a"]\nvolumes: {${key}: {}}\n`,
        ];
        for (const file of files) {
          const { status } = await call('deployPreflight', { body: deployment(file) });
          expect([file, status]).toEqual([file, 200]);
        }
      });
    },
  );

  it("doesn't delay a valid file sent at the same time", async () => {
    await survives(async () => {
      const attack = times(12, (i) =>
        call('deployPreflight', { body: deployment(`# ${i}\n${rangesTimesAliases}`) }),
      );
      const { status } = await call('deployPreflight', { body: deployment(GOOD) });
      expect(status).toBe(200);
      for (const { status } of await Promise.all(attack)) expect([400, 429]).toContain(status);
    });
  });
});

describe('a hostile event filter', () => {
  const BOMBS = ['*'.repeat(60), 'a*'.repeat(30), `${'*a'.repeat(31)}b`, '*.*.*.*.*.*.*'];

  it.each(['listEvents', 'streamEvents'] as const)('is rejected by %s with the field named', async (id) => {
    await survives(async () => {
      for (const bomb of BOMBS)
        for (const query of [
          `?kind=${encodeURIComponent(bomb)}`,
          `?q=${encodeURIComponent(`kind:${bomb}`)}`,
          `?q=${encodeURIComponent(`-kind:update,${bomb}`)}`,
        ]) {
          const { status, text } = await call(id, { query });
          expect([query, status]).toEqual([query, 422]);
          expect(text).toMatch(/"kind"|"q"/);
        }
    });
  });

  it('within the limit is accepted', async () => {
    await survives(async () => {
      for (const kind of ['*.*.*.*', 'a*b*c*d*', 'deploy.*', '*.requested']) {
        const { status } = await call('listEvents', { query: `?kind=${encodeURIComponent(kind)}` });
        expect([kind, status]).toEqual([kind, 200]);
      }
    });
  });

  it("isn't treated as a pattern in a webhook", async () => {
    const body = { url: 'https://example.com/hook', events: ['*'.repeat(60)] };
    expect((await call('createWebhook', { body })).status).toBe(422);
  });
});

describe('deeply nested JSON', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const provision = (gpus: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/cvms/provision`, {
      method: 'POST',
      headers: { cookie: server.cookie(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...deployment(GOOD), gpus: {} }).replace('"gpus":{}', `"gpus":${gpus}`),
      signal: AbortSignal.timeout(60_000),
    });
  const refused = {
    code: 'ERR-00-006',
    detail: { message: 'The JSON nests more than 100 levels deep.', suggestions: ['Send flatter JSON.'] },
    request_id: expect.any(String) as string,
  };

  it.each([
    ['25,000 levels in 150 KB', nested(25_000), {}],
    ['80,000 lists', `${'['.repeat(80_000)}${']'.repeat(80_000)}`, {}],
    ['9,000 levels with an idempotency key', nested(9_000), { 'idempotency-key': 'deep' }],
    ['lists that are never closed', '['.repeat(100_000), {}],
  ])('is refused before anything traverses it: %s', async (_name, gpus, headers) => {
    const [reply, health] = await Promise.all([provision(gpus, headers), fetch(`${server.url}/healthz`)]);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject(refused);
    expect(health.status).toBe(200);
  });

  it('is accepted up to the limit', async () => {
    expect((await provision(nested(90))).status).not.toBe(400);
  });

  it('is refused in another encoding, in which brackets have other bytes', async () => {
    const reply = await fetch(`${server.url}/api/v1/cvms/provision`, {
      method: 'POST',
      headers: { cookie: server.cookie(), 'content-type': 'application/json; charset=utf-16le' },
      body: Buffer.from(JSON.stringify(deployment(GOOD)), 'utf16le'),
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: 'ERR-00-006' });
  });
});
