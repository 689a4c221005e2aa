import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublicAppDetail, PublicAppPage, PublicEvidence } from '../../../generated/api/types.gen';
import { publicBadge } from './publicBadge';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Published apps as seen by visitors without an account. */
let server: TestServer;
let owner: TestClient;
let visitor: TestClient;
const COMPOSE =
  'services:\n  web:\n    image: nginx:alpine\n  worker:\n    image: busybox@sha256:' + 'a'.repeat(64) + '\n';

interface Deployed {
  app_id: string;
  vm_uuid: string;
}

async function deploy(client: TestClient, name: string): Promise<Deployed> {
  const provision = await client.call('provisionCvm', {
    body: { name, compose_file: { docker_compose_file: COMPOSE } },
  });
  const { app_id, compose_hash } = provision.body as { app_id: string; compose_hash: string };
  const made = await client.call('createCvm', { body: { app_id, compose_hash } });
  const { vm_uuid, correlation_id } = made.body as { vm_uuid: string; correlation_id: string };
  await eventually('the CVM is running', async () => {
    const { body } = await client.call('getOperation', { path: { correlation_id } });
    return body.state === 'succeeded';
  });
  return { app_id, vm_uuid };
}

const publish = (client: TestClient, vm_uuid: string, listed: boolean) =>
  client.call('setCvmListed', { path: { cvm_id: vm_uuid }, body: { listed } });
const list = async (query: Record<string, unknown> = {}) =>
  ((await visitor.call('listPublicApps', { query })).body as PublicAppPage).data.map(({ name }) => name);

let shown: Deployed;
let hidden: Deployed;

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  visitor = server.anonymous;
  owner = await server.register();
  shown = await deploy(owner, 'shown-app');
  hidden = await deploy(owner, 'hidden-app');
  expect((await publish(owner, shown.vm_uuid, true)).status).toBe(204);
});
afterAll(() => server?.stop());

describe('the list', () => {
  it('contains published apps only', async () => {
    expect(await list()).toEqual(['shown-app']);
    const { body } = await visitor.call('listPublicApps');
    expect((body as PublicAppPage).data[0]).toMatchObject({
      app_id: shown.app_id,
      trust: 'simulated',
      cvm_count: 1,
      running_count: 1,
    });
  });

  it('finds by name and by the start of the ID', async () => {
    expect(await list({ q: 'SHOWN' })).toEqual(['shown-app']);
    expect(await list({ q: shown.app_id.slice(0, 8) })).toEqual(['shown-app']);
    for (const q of ['hidden', '%', '_', '\\', "' or 1=1"]) expect([q, await list({ q })]).toEqual([q, []]);
  });

  it('filters by the kind of host', async () => {
    expect(await list({ trust: 'simulated' })).toEqual(['shown-app']);
    expect(await list({ trust: 'hardware' })).toEqual([]);
    expect((await visitor.call('listPublicApps', { query: { trust: 'verified' } })).status).toBe(422);
  });

  it('pages without gaps', async () => {
    const second = await deploy(owner, 'second-app');
    await publish(owner, second.vm_uuid, true);
    const first = (await visitor.call('listPublicApps', { query: { limit: 1 } })).body as PublicAppPage;
    expect(first.data.map(({ name }) => name)).toEqual(['second-app']);
    expect(await list({ limit: 1, cursor: first.pagination.next_cursor })).toEqual(['shown-app']);
    await publish(owner, second.vm_uuid, false);
    expect((await visitor.call('listPublicApps', { query: { cursor: 'nonsense' } })).status).toBe(422);
  });
});

describe('an app', () => {
  it('shows what runs, and nothing else', async () => {
    const { status, body } = await visitor.call('getPublicApp', {
      path: { app_id: `0x${shown.app_id.toUpperCase()}` },
    });
    expect(status).toBe(200);
    const app = body as PublicAppDetail;
    expect(app).toMatchObject({
      name: 'shown-app',
      compose_file: COMPOSE,
      services: [
        { name: 'web', image: 'nginx:alpine', has_digest: false },
        { name: 'worker', has_digest: true },
      ],
      cvms: [
        {
          vm_uuid: shown.vm_uuid,
          is_running: true,
          trust: 'simulated',
          public_logs: expect.any(Boolean) as boolean,
        },
      ],
      revisions: [{ number: 1, compose_hash: app.compose_hash }],
    });
    // Neither users nor hosts.
    const text = JSON.stringify(body);
    for (const secret of [owner.email ?? '', server.dataDir, 'local-teepod'])
      expect(text).not.toContain(secret);
  });

  it.each(['hidden', 'unknown', 'malformed'])('answers with the same 404 if it is %s', async (which) => {
    const app_id = { hidden: hidden.app_id, unknown: 'f'.repeat(40), malformed: 'nope' }[which] ?? '';
    for (const id of ['getPublicApp', 'getPublicAppEvidence'] as const) {
      const { status, body } = await visitor.call(id, { path: { app_id } });
      expect([id, status, (body as unknown as { message: string }).message]).toEqual([
        id,
        404,
        'No published app has this ID.',
      ]);
    }
  });

  it('shows only its published CVMs', async () => {
    const replica = await owner.call('createCvmReplica', { path: { cvm_id: shown.vm_uuid }, body: {} });
    const { vm_uuid } = replica.body as { vm_uuid: string };
    await publish(owner, vm_uuid, false);
    const { body } = await visitor.call('getPublicApp', { path: { app_id: shown.app_id } });
    expect((body as PublicAppDetail).cvms.map((one) => one.vm_uuid)).toEqual([shown.vm_uuid]);
    const evidence = await visitor.call('getPublicAppEvidence', {
      path: { app_id: shown.app_id },
      query: { vm_uuid },
    });
    expect(evidence.status).toBe(404);
  });
});

describe('evidence', () => {
  it('is the CVM’s, with its reference values', async () => {
    const { status, body } = await visitor.call('getPublicAppEvidence', { path: { app_id: shown.app_id } });
    expect(status).toBe(200);
    expect(body as PublicEvidence).toMatchObject({
      vm_uuid: shown.vm_uuid,
      trust: 'simulated',
      is_online: true,
      expected: { app_id: shown.app_id },
    });
    expect(JSON.stringify(body)).not.toContain('local-teepod');
  });
});

it('never shows a green badge for a simulated app', async () => {
  expect(await publicBadge(server.services, shown.app_id)).toEqual({
    message: 'simulated, no TEE',
    color: 'grey',
  });
});

it('applies unpublishing from the next request', async () => {
  await publish(owner, shown.vm_uuid, false);
  expect(await list()).toEqual([]);
  expect((await visitor.call('getPublicApp', { path: { app_id: shown.app_id } })).status).toBe(404);
  await publish(owner, shown.vm_uuid, true);
  expect(await list()).toEqual(['shown-app']);
});

it('hides a deleted app', async () => {
  await owner.call('deleteCvm', { path: { cvm_id: shown.vm_uuid } });
  expect(await list()).toEqual([]);
});
