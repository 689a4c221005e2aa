import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VERSIONS } from '../../http/compat/versions';
import { identityOf, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** What a deployment can use: hosts, services, gateways, instance types and GPUs, with their relations. */
let server: TestServer;
let member: TestClient;
let central: TestHost;
let onChain: TestHost;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  member = await server.register();
  const { db } = server.services;
  central = await insertHost(db, { name: 'central' });
  onChain = await insertHost(db, { name: 'on-chain', chain_id: 8453 });
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select t.id, i.id from teepods t, os_images i`.execute(
    db,
  );
  const foreign = await insertHost(db, { name: 'foreign' });
  await db.updateTable('teepods').set({ all_teams: false }).where('id', '=', foreign.teepod.id).execute();
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: null })
    .where('id', '=', onChain.teepod.id)
    .execute();
});
afterAll(() => server?.stop());

const read = async () => {
  const answer = await member.call('getCvmCreateResources');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const contractOf = ({ kms }: TestHost) => kms.public_id.replace('kms_', 'kmsc_');

it('lists hosts, services and gateways with their relations', async () => {
  await server.services.db
    .updateTable('teepods')
    .set({ tee: 'sev_snp' })
    .where('id', '=', central.teepod.id)
    .execute();
  const body = await read();
  const available = await member.call('listAvailableTeepods');
  expect(body.nodes).toEqual(available.body.nodes);
  expect(body.nodes.map(({ name, tee }) => [name, tee]).sort()).toEqual([
    ['central', 'sev_snp'],
    ['on-chain', null],
  ]);
  const relations = [
    {
      teepod_id: central.teepod.id,
      kms_id: central.kms.public_id,
      kms_type: 'phala',
      kms_contract_id: contractOf(central),
      kms_contract_address: null,
      supported_os_images: ['dstack-0.6.0'],
    },
    {
      teepod_id: onChain.teepod.id,
      kms_id: onChain.kms.public_id,
      kms_type: 'base',
      kms_contract_id: contractOf(onChain),
      kms_contract_address: `0x${'1'.repeat(40)}`,
      supported_os_images: ['dstack-0.6.0'],
    },
  ];
  expect(body.node_kms_relations.toSorted((a, b) => a.teepod_id - b.teepod_id)).toEqual(relations);
  expect(body.kms_nodes).toMatchObject(
    relations.map(({ kms_id, teepod_id: _, ...relation }) => ({ id: kms_id, ...relation })),
  );
  expect(body.gateway_nodes).toEqual([
    {
      id: `gw_${central.teepod.id}`,
      teepod_id: central.teepod.id,
      kms_contract_id: contractOf(central),
      rpc_url: null,
      domain_suffix: 'cvm.localhost:8999',
      enabled: true,
    },
  ]);
  const { body: types } = await member.call('listInstanceTypes');
  const active = types.result.flatMap(({ items }) => items.map(({ id }) => id));
  expect(body.instance_types.map(({ id }) => id).sort()).toEqual(active.sort());
  expect(body.instance_types.find(({ id }) => id === 'tdx.small')).toMatchObject({
    vcpu: 1,
    memory_mb: 2048,
    requires_gpu: false,
    requires_gpu_count: 0,
    family: 'cpu',
  });
});

it('offers only key services that accept new apps', async () => {
  const { db } = server.services;
  const setState = (state: 'active' | 'retiring') =>
    db.updateTable('kms').set({ state }).where('id', '=', onChain.kms.id).execute();
  await setState('retiring');
  const body = await read();
  const { nodes, kms_list } = (await member.call('listAvailableTeepods')).body;
  await setState('active');
  expect(body.kms_nodes.map(({ id }) => id)).toEqual([central.kms.public_id]);
  expect(body.node_kms_relations.map(({ kms_id }) => kms_id)).toEqual([central.kms.public_id]);
  expect(kms_list.map(({ slug }) => slug)).toEqual([central.kms.slug]);
  expect(nodes.find(({ teepod_id }) => teepod_id === onChain.teepod.id)).toMatchObject({
    default_kms: null,
    kms_list: [],
    support_onchain_kms: false,
  });
});

it("counts free GPUs; another team's aren't free", async () => {
  expect((await read()).gpu_availability).toEqual({
    has_reserved_gpus: false,
    reserved_gpu_count: 0,
    has_public_gpus: false,
    public_gpu_count: 0,
    available_by_product: [],
  });
  const { db } = server.services;
  const other = await server.register();
  const [mine, theirs] = await Promise.all([member, other].map(({ email }) => identityOf(db, email!)));
  const gpu = (slot: string, reserved_team_id: number | null, fault: string | null = null) => ({
    teepod_id: central.teepod.id,
    slot,
    product_id: '2335',
    description: 'NVIDIA H200',
    reserved_team_id,
    fault,
    reported: true,
  });
  await db
    .insertInto('gpus')
    .values([
      gpu('01:00.0', null),
      gpu('02:00.0', mine!.team_id),
      gpu('03:00.0', theirs!.team_id),
      gpu('04:00.0', null, 'Overheats.'),
    ])
    .execute();
  expect((await read()).gpu_availability).toEqual({
    has_reserved_gpus: true,
    reserved_gpu_count: 1,
    has_public_gpus: true,
    public_gpu_count: 1,
    available_by_product: [{ product_id: '2335', display_name: 'NVIDIA H200', count: 2 }],
  });
});

it('is the same in every version and requires a team', async () => {
  const body = await read();
  for (const version of VERSIONS)
    expect((await member.with({ 'x-phala-version': version }).call('getCvmCreateResources')).body).toEqual(
      body,
    );
  expect((await server.anonymous.call('getCvmCreateResources')).status).toBe(401);
});
