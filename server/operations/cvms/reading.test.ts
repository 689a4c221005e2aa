import * as sdk from '@phala/cloud';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import {
  COMPOSE,
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertRevision,
  insertToken,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/**
 * Every read except those of states (readingStates.test.ts), through the published SDK and its schemas, in both
 * versions of the API.
 */
let server: TestServer;
let member: TestClient;
let stranger: TestClient;
let host: TestHost;
let single: TestApp & { cvm: CvmRow };
let twins: TestApp & { cvms: CvmRow[] };
let token: string;
let who: { team_id: number; user_id: number };

const client = (version: '2025-10-28' | '2026-01-21') =>
  sdk.createClient({ baseURL: `${server.url}/api/v1`, apiKey: token, version } as never) as never;
const versions = ['2025-10-28', '2026-01-21'] as const;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  who = await identityOf(db, member.email!);
  token = await insertToken(db, who);
  host = await insertHost(db, { name: 'eu-1' });
  const app = await insertApp(db, { ...who, host, name: 'alpha' });
  single = { ...app, cvm: await insertCvm(db, { ...app, host, ...who, change: { name: 'alpha-one' } }) };
  const twin = await insertApp(db, { ...who, host, name: 'twins' });
  twins = {
    ...twin,
    cvms: [
      await insertCvm(db, { ...twin, host, ...who }),
      await insertCvm(db, { ...twin, host, ...who, change: { status: 'stopped', started_at: null } }),
    ],
  };
});
afterAll(() => server.stop());

describe.each(versions)('version %s', (version) => {
  it('lists apps with their CVMs', async () => {
    const list = (await sdk.getAppList(client(version), { page: 1, page_size: 50 } as never)) as {
      dstack_apps: { app_id: string; current_cvm: { vm_uuid: string }; cvms: unknown[]; cvm_count: number }[];
      total: number;
    };
    expect(list.total).toBe(2);
    const [newest, oldest] = list.dstack_apps;
    expect(newest).toMatchObject({ app_id: twins.app.app_id, cvm_count: 2 });
    expect(newest!.cvms).toHaveLength(2);
    // The running CVM, so that users open the one that serves traffic.
    expect(newest!.current_cvm.vm_uuid).toBe(twins.cvms[0]!.vm_uuid);
    expect(oldest!.current_cvm.vm_uuid).toBe(single.cvm.vm_uuid);
  });

  it('shows an app and its CVMs', async () => {
    const app = (await sdk.getAppInfo(client(version), { appId: single.app.app_id } as never)) as {
      name: string;
      current_cvm: { vm_uuid: string };
    };
    expect(app).toMatchObject({ name: 'alpha', current_cvm: { vm_uuid: single.cvm.vm_uuid } });
    const cvms = (await sdk.getAppCvms(client(version), { appId: twins.app.app_id } as never)) as unknown[];
    expect(cvms).toHaveLength(2);
  });

  it('lists CVMs by page', async () => {
    const page = (await sdk.getCvmList(client(version), { page: 2, page_size: 2 } as never)) as {
      items: unknown[];
      total: number;
      pages: number;
    };
    expect(page).toMatchObject({ total: 3, pages: 2 });
    expect(page.items).toHaveLength(1);
  });

  it('shows a CVM', async () => {
    const cvm = (await sdk.getCvmInfo(client(version), { id: single.cvm.public_id } as never)) as Record<
      string,
      unknown
    >;
    expect(cvm).toMatchObject({ name: 'alpha-one', status: 'running', vm_uuid: single.cvm.vm_uuid });
    if (version === '2025-10-28') {
      expect(cvm).toMatchObject({
        id: single.cvm.id,
        memory: 2048,
        disk_size: 20,
        encrypted_env_pubkey: single.cvm.env_pubkey,
        gateway_domain: 'cvm.localhost:8999',
        kms_info: { slug: 'kms-eu-1' },
      });
      expect(cvm.syslog_endpoint).toContain('?');
    } else {
      expect(cvm).toMatchObject({
        id: single.cvm.public_id,
        resource: { vcpu: 1, memory_in_gb: 2, disk_in_gb: 20, compute_billing_price: '0.058' },
        gateway: { base_domain: 'cvm.localhost:8999' },
        kms_type: 'phala',
        compose_hash: single.revision.compose_hash,
        os: { name: 'dstack-0.6.0', is_dev: false },
        node_info: { id: host.teepod.id, name: 'eu-1', region: 'eu-west', status: 'ONLINE' },
        workspace: { slug: member.slug },
        endpoints: [
          {
            app: `http://${single.app.app_id}-80.cvm.localhost:8999`,
            instance: `http://${single.cvm.instance_id}-80.cvm.localhost:8999`,
          },
          {
            app: `http://${single.app.app_id}-8080.cvm.localhost:8999`,
            instance: `http://${single.cvm.instance_id}-8080.cvm.localhost:8999`,
          },
        ],
      });
    }
  });

  it('returns the compose file that matches the compose hash', async () => {
    const { getHash, toString, ...compose } = (await sdk.getCvmComposeFile(client(version), {
      id: 'alpha-one',
    } as never)) as { docker_compose_file: string; getHash(): string; toString(): string };
    expect(compose.docker_compose_file).toBe(COMPOSE);
    // The exported function is what guests hash; the method hashes an older, indented form, but works.
    expect(sdk.getComposeHash(compose as never)).toBe(single.revision.compose_hash);
    expect([getHash(), toString().length > 0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), true]);
    expect(await sdk.getCvmDockerCompose(client(version), { id: 'alpha-one' } as never)).toBe(COMPOSE);
    expect((await sdk.getCvmPreLaunchScript(client(version), { id: 'alpha-one' } as never)) ?? '').toBe('');
    expect(await sdk.getCvmUserConfig(client(version), { id: 'alpha-one' } as never)).toMatchObject({
      hostname: 'alpha-one',
      ssh_authorized_keys: [],
    });
  });

  it('answers for an unreachable guest', async () => {
    const id = { id: single.cvm.vm_uuid } as never;
    const offline = { is_online: false, error: expect.stringContaining("isn't responding") as string };
    expect(await sdk.getCvmContainersStats(client(version), id)).toMatchObject({
      ...offline,
      containers: null,
      docker_compose_file: COMPOSE,
    });
    expect(await sdk.getCvmAttestation(client(version), id)).toMatchObject({ ...offline, tcb_info: null });
    expect(await sdk.getCvmStats(client(version), id)).toMatchObject({ ...offline, sysinfo: null });
    expect(await sdk.getCvmNetwork(client(version), id)).toMatchObject({ ...offline, internal_ip: null });
    const stopped = { id: twins.cvms[1]!.vm_uuid } as never;
    expect(await sdk.getCvmContainersStats(client(version), stopped)).toMatchObject({
      is_online: false,
      error: 'The CVM is stopped.',
    });
  });
});

describe('CVM identifiers', () => {
  const forms = () => {
    const { cvm, app } = single;
    return [
      cvm.vm_uuid,
      cvm.vm_uuid.replaceAll('-', ''),
      cvm.vm_uuid.toUpperCase(),
      `app_${app.app_id}`,
      `0x${app.app_id.toUpperCase()}`,
      app.app_id,
      cvm.instance_id!,
      `instance_${cvm.instance_id!}`,
      `app_${cvm.instance_id!}`,
      cvm.public_id,
      String(cvm.id),
      cvm.name,
    ];
  };

  it('find the CVM in every form', async () => {
    for (const cvm_id of forms()) {
      const answer = await member.call('getCvm', { path: { cvm_id } });
      expect([cvm_id, answer.status, answer.body.vm_uuid]).toEqual([cvm_id, 200, single.cvm.vm_uuid]);
    }
  });

  it("do not find another team's CVM", async () => {
    for (const cvm_id of forms()) {
      const answer = await stranger.call('getCvm', { path: { cvm_id } });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        code: 'ERR-03-001',
        detail: { error_code: 'ERR-03-001', message: 'The requested CVM was not found' },
      });
    }
  });

  it('are rejected as ambiguous for several CVMs, and select one by instance', async () => {
    const answer = await member.call('getCvm', { path: { cvm_id: `app_${twins.app.app_id}` } });
    expect(answer.status).toBe(400);
    const text = JSON.stringify(answer.body);
    expect(text).toContain('ERR-03-010');
    for (const cvm of twins.cvms) expect(text).toContain(cvm.vm_uuid);
    const picked = await member.call('getCvm', { path: { cvm_id: twins.cvms[1]!.instance_id! } });
    expect(picked.body.vm_uuid).toBe(twins.cvms[1]!.vm_uuid);
  });

  it('do not find deleted CVMs, whose history stays readable', async () => {
    const { db } = server.services;
    const cvm = await insertCvm(db, {
      ...single,
      host,
      change: { name: 'gone-soon', status: 'deleted', deleted_at: new Date(), started_at: null },
    });
    const operation = await insertOperation(db, cvm, {
      type: 'delete',
      state: 'succeeded',
      target: 'deleted',
    });
    for (const cvm_id of [cvm.vm_uuid, cvm.public_id, String(cvm.id), 'gone-soon', cvm.instance_id!])
      expect((await member.call('getCvm', { path: { cvm_id } })).status).toBe(404);
    const history = await member.call('listCvmOperations', { path: { cvm_id: cvm.vm_uuid } });
    expect(history.body.data.map((row) => row.correlation_id)).toEqual([operation.correlation_id]);
  });
});

describe('app lists', () => {
  const names = async (query: Record<string, unknown>) =>
    (await member.call('listApps', { query })).body.dstack_apps.map((app) => app.name);

  it('filter by properties of their CVMs', async () => {
    expect(await names({})).toEqual(['twins', 'alpha']);
    expect(await names({ status: ['stopped'] })).toEqual(['twins']);
    expect(await names({ status: ['stopped', 'running'] })).toEqual(['twins', 'alpha']);
    expect(await names({ search: 'ALPH' })).toEqual(['alpha']);
    expect(await names({ search: single.app.app_id.slice(4, 20) })).toEqual(['alpha']);
    expect(await names({ search: single.cvm.vm_uuid })).toEqual(['alpha']);
    expect(await names({ search: twins.cvms[0]!.instance_id! })).toEqual(['twins']);
    expect(await names({ search: 'a%' })).toEqual([]);
    expect(await names({ region: 'eu-west', node: 'eu-1', base_image: 'dstack-0.6.0' })).toHaveLength(2);
    expect(await names({ instance_type: 'tdx.large' })).toEqual([]);
    expect(await names({ kms_slug: 'kms-eu-1', kms_type: 'PHALA', listed: false })).toHaveLength(2);
    expect(await names({ listed: true })).toEqual([]);
  });

  it('return pages with a total', async () => {
    const second = await member.call('listApps', { query: { page: 2, page_size: 1 } });
    expect(second.body).toMatchObject({ page: 2, page_size: 1, total: 2, total_pages: 2 });
    expect(second.body.dstack_apps.map((app) => app.name)).toEqual(['alpha']);
  });

  it('are empty for other teams', async () => {
    expect((await stranger.call('listApps')).body.total).toBe(0);
    expect((await stranger.call('listCvmsPaginated')).body.total).toBe(0);
    for (const id of ['getApp', 'listAppCvms', 'listAppRevisions'] as const) {
      const answer = await stranger.call(id, { path: { app_id: single.app.app_id } });
      expect([id, answer.status]).toEqual([id, 404]);
    }
    expect((await server.anonymous.call('listApps')).status).toBe(401);
  });

  it('contain no log addresses, host details or ciphertext', async () => {
    const text = JSON.stringify((await member.call('listApps')).body);
    expect(text).not.toContain('token=');
    expect(text).not.toMatch(/sealed_credential|encrypted_env"|127\.0\.0\.1:9"/);
  });
});

describe('revisions', () => {
  it('list their state, author and CVM', async () => {
    const { db } = server.services;
    const app = await insertApp(db, { ...who, host, name: 'revised' });
    const cvm = await insertCvm(db, { ...app, host, ...who });
    const operation = await insertOperation(db, cvm, { type: 'update', state: 'succeeded' });
    const second = await insertRevision(db, {
      app: app.app,
      number: 2,
      name: 'revised',
      compose: `${COMPOSE}# 2\n`,
      correlation_id: operation.correlation_id,
      ...who,
    });
    await insertRevision(db, {
      app: app.app,
      number: 3,
      name: 'revised',
      compose: `${COMPOSE}# 3\n`,
      ...who,
    });
    await db.updateTable('cvms').set({ revision_id: second.id }).where('id', '=', cvm.id).execute();
    const page = (await sdk.getAppRevisions(client('2026-01-21'), { appId: app.app.app_id } as never)) as {
      revisions: { revision_id: string; vm_uuid: string }[];
      total: number;
    };
    expect(page.total).toBe(3);
    const own = await member.call('listAppRevisions', { path: { app_id: `0x${app.app.app_id}` } });
    expect(own.body.revisions.map((r) => [r.revision_number, r.state])).toEqual([
      [3, 'draft'],
      [2, 'live'],
      [1, 'superseded'],
    ]);
    expect(own.body.revisions[1]).toMatchObject({
      revision_id: second.public_id,
      vm_uuid: cvm.vm_uuid,
      trace_id: operation.correlation_id,
      triggered_by: { object_type: 'user' },
      workspace: { slug: member.slug },
      allowed_envs: ['GREETING'],
    });
  });
});
