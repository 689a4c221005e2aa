import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEnv } from '../../../console/lib/secrets/seal';
import type {
  AdminAiGateway,
  AdminAiGatewayTokens,
  AdminTeepod,
  CvmDetail,
  Problem,
} from '../../../generated/api/types.gen';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import type { TeamRole } from '../../domain/core/caller';
import { Kms } from '../../teepod/kms';
import { identityOf } from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* Deploying an AI gateway from the admin area, as a team's CVM. */

let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let team_id: number;
let builtIn: AdminTeepod;
let fake: FakeVmm;
beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  admin = await server.register('admin@example.test');
  owner = await server.register();
  ({ team_id } = await identityOf(server.services.db, owner.email!));
  await join(team_id, 'member');
  const local = await admin.call('listAdminTeepods', {
    query: { filter: JSON.stringify({ kind: 'local' }) },
  });
  [builtIn] = local.body as [AdminTeepod];
  fake = await startFakeVmm();
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

/** Makes the administrator a member of a team, with this role. */
async function join(team: number, role: TeamRole): Promise<void> {
  const { db } = server.services;
  const { user_id } = await identityOf(db, admin.email!);
  const membership = { team_id: team, user_id, role, is_default: false };
  await db
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

/** Adds a host with a TEE, with the built-in host's key service. */
async function addTeeHost() {
  const { node_id, kms_id } = builtIn;
  const size = { max_vcpu: 64, max_memory_mb: 100_000, max_disk_gb: 1000 };
  const body = { name: 'tee-host', url: fake.url, node_id, kms_id, ...size, all_teams: true };
  const added = await admin.call('createAdminTeepod', { body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body as AdminTeepod;
}

const add = async (name: string) => {
  const image = `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`;
  const body = { name, url: 'https://ai.example.com', image };
  const added = await admin.call('createAdminAiGateway', { body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return added.body as AdminAiGateway;
};
const deploy = (client: TestClient, id: number, more: object = {}) =>
  client.call('deployAdminAiGateway', {
    path: { id },
    body: { team_id, instance_type: 'tdx.small', ...more },
  });
const shown = async (id: number) =>
  (await admin.call('getAdminAiGateway', { path: { id } })).body as AdminAiGateway;
const asks = async (path: string, token: string) =>
  (await fetch(`${server.url}/ai-control${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Returns the environment that a CVM's guest reads. */
async function secretsOf(cvm_id: string) {
  const { app_id, encrypted_env } = await server.services.db
    .selectFrom('cvms as c')
    .innerJoin('apps as a', 'a.id', 'c.app_id')
    .select(['a.app_id', 'c.encrypted_env'])
    .where('c.vm_uuid', '=', cvm_id)
    .executeTakeFirstOrThrow();
  const kms = await Kms.open(path.join(server.dataDir, 'teepod', 'kms'));
  return openEnv(encrypted_env!, Buffer.from(kms.envSecret(app_id)).toString('hex'));
}

it('is not deployed on a host without a TEE', async () => {
  const { id } = await add('tee-0');
  // Selected explicitly, or the only one.
  for (const more of [{}, { teepod_id: builtIn.id }])
    expect(await deploy(admin, id, more)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('It has no TEE'), details: [{ field: 'teepod_id' }] },
    });
  expect(await shown(id)).toMatchObject({ cvm_id: null, token_hint: null });
});

it('becomes a CVM of the team, with tokens that only its guest can read', async () => {
  await addTeeHost();
  const gateway = await add('tee-1');
  expect(gateway).toMatchObject({ team_id: null, cvm_id: null, cvm_status: null });
  const deployed = await deploy(admin, gateway.id);
  expect(deployed.status, JSON.stringify(deployed.body)).toBe(200);
  const { cvm_id, token_hint } = deployed.body as AdminAiGateway;
  expect(deployed.body).toMatchObject({ team_id, token_hint: expect.stringMatching(/^thk_aig_/) });
  await eventually('its host runs it', async () => (await shown(gateway.id)).cvm_status === 'running');

  const cvm = (await owner.call('getCvm', { path: { cvm_id: cvm_id! } })).body as CvmDetail;
  expect(cvm.name).toBe('gateway-tee-1');
  const compose = await owner.call('getCvmDockerCompose', { path: { cvm_id: cvm_id! } });
  expect(JSON.stringify(compose.body)).toContain('TEEHOUSE_CONTROL_TOKEN');

  const secrets = await secretsOf(cvm_id!);
  expect(secrets.map(({ key }) => key)).toEqual(['TEEHOUSE_CONTROL_TOKEN', 'TEEHOUSE_CONFIG_TOKEN']);
  const [control, config] = secrets.map(({ value }) => value);
  expect(await asks('/models', control!)).toBe(200);
  expect(await asks('/upstreams', config!)).toBe(200);
  expect(token_hint).toContain(control!.slice(-4));

  const { rows } = await sql<{ actor_kind: string; team_id: number | null; action: string; entry: string }>`
    select actor_kind, team_id, action, to_jsonb(a)::text as entry from audit_log a
    where action in ('cvm.provision', 'cvm.create', 'ai_gateway.deploy') order by id`.execute(
    server.services.db,
  );
  expect(rows.map(({ entry: _, ...row }) => row)).toEqual(
    expect.arrayContaining([
      { actor_kind: 'staff', team_id, action: 'cvm.provision' },
      { actor_kind: 'staff', team_id, action: 'cvm.create' },
      expect.objectContaining({ team_id: null, action: 'ai_gateway.deploy' }),
    ]),
  );
  const entries = rows.map(({ entry }) => entry).join('\n');
  for (const secret of [control!, config!]) expect(entries).not.toContain(secret);

  // Only once, until its CVM is deleted.
  expect(await deploy(admin, gateway.id, { name: 'gateway-again' })).toMatchObject({
    status: 409,
    body: { message: 'This gateway runs in the CVM “gateway-tee-1”.' },
  });
  await admin.call('updateAdminAiGateway', { path: { id: gateway.id }, body: { state: 'disabled' } });
  expect((await admin.call('deleteAdminAiGateway', { path: { id: gateway.id } })).status).toBe(409);
});

it('is deployed once by two concurrent requests, and the tokens match its CVM', async () => {
  const { id } = await add('tee-twice');
  const replies = await Promise.all(
    ['gateway-twice-1', 'gateway-twice-2'].map((name) => deploy(admin, id, { name })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { cvm_id, token_hint } = await shown(id);
  const cvms = await server.services.db
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('name', 'like', 'gateway-twice-%')
    .execute();
  expect(cvms.map(({ vm_uuid }) => vm_uuid)).toEqual([cvm_id]);
  const control = (await secretsOf(cvm_id!))[0]!.value;
  expect(token_hint).toContain(control.slice(-4));
  expect(await asks('/models', control)).toBe(200);
});

it('is deployed by platform administrators only', async () => {
  const { id } = await add('tee-2');
  const infra = await server.register();
  await sql`update users set platform_role = 'infra' where lower(email) = lower(${infra.email})`.execute(
    server.services.db,
  );
  expect((await deploy(infra, id)).status).toBe(403);
  expect((await deploy(owner, id)).status).toBe(403);
  expect(await shown(id)).toMatchObject({ cvm_id: null, token_hint: null });
});

it('is deployed only in a team where the administrator may deploy, because its members can read its keys', async () => {
  const { id } = await add('tee-mine');
  const customer = await server.register();
  const { team_id: theirs } = await identityOf(server.services.db, customer.email!);
  const refused = async () => {
    const { status, body } = await deploy(admin, id, { team_id: theirs });
    const { message, details } = body as unknown as Problem;
    expect({ status, field: details?.[0]?.field }).toEqual({ status: 422, field: 'team_id' });
    return message;
  };
  expect(await refused()).toContain("You aren't a member of the team");
  for (const role of ['viewer', 'billing'] as const) {
    await join(theirs, role);
    expect(await refused()).toContain(`(${role}) doesn't let you deploy there`);
  }
  expect(await shown(id)).toMatchObject({ cvm_id: null, token_hint: null });
  const provisions = server.services.db.selectFrom('provisions').select('id').where('team_id', '=', theirs);
  expect(await provisions.execute()).toEqual([]);

  await join(theirs, 'member');
  expect(await deploy(admin, id, { team_id: theirs })).toMatchObject({
    status: 200,
    body: { team_id: theirs },
  });
});

it('keeps its tokens if the team has no quota left or doesn’t exist', async () => {
  const { id } = await add('tee-3');
  const { control_token } = (await admin.call('issueAdminAiGatewayTokens', { path: { id } }))
    .body as AdminAiGatewayTokens;
  const full = await server.register();
  const of = await identityOf(server.services.db, full.email!);
  await server.services.db.updateTable('teams').set({ max_cvms: 0 }).where('id', '=', of.team_id).execute();
  await join(of.team_id, 'member');
  expect(await deploy(admin, id, { team_id: of.team_id })).toMatchObject({
    status: 400,
    body: { error_code: expect.any(String) },
  });
  expect(await deploy(admin, id, { team_id: 999_999 })).toMatchObject({ status: 422 });
  expect(await shown(id)).toMatchObject({ cvm_id: null, cvm_status: null });
  expect(await asks('/models', control_token)).toBe(200);
});

it('is deployed on a suitable host, even if the host with the most room has another key service', async () => {
  const { db } = server.services;
  const { id: _id, ...kms } = await db
    .selectFrom('kms')
    .selectAll()
    .where('id', '=', builtIn.kms_id)
    .executeTakeFirstOrThrow();
  const { id: kms_id } = await db
    .insertInto('kms')
    .values({
      ...kms,
      public_id: 'kms_00000000000000a1',
      slug: 'on-chain',
      chain_id: 31337,
      kms_contract_address: `0x${'a1'.repeat(20)}`,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  const second = await startFakeVmm();
  try {
    const size = { max_vcpu: 640, max_memory_mb: 1_000_000, max_disk_gb: 10_000, max_cvms: 1000 };
    const host = { name: 'larger', url: second.url, node_id: builtIn.node_id, ...size, all_teams: true };
    const added = await admin.call('createAdminTeepod', { body: { ...host, kms_id } });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    const { id } = await add('many-hosts');
    const deployed = await deploy(admin, id);
    expect(deployed.status, JSON.stringify(deployed.body)).toBe(200);
    const { cvm_id } = deployed.body as AdminAiGateway;
    const { teepod } = await db
      .selectFrom('cvms as c')
      .innerJoin('teepods as p', 'p.id', 'c.teepod_id')
      .select('p.name as teepod')
      .where('c.vm_uuid', '=', cvm_id!)
      .executeTakeFirstOrThrow();
    expect(teepod).toBe('tee-host');
  } finally {
    await second.close();
  }
});
