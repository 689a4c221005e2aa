import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Problem, Provision } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { watchAlerts } from '../../../jobs/platform/alerts';
import { COMPOSE } from '../../../testing/cvmFixtures';
import { endedOperation } from '../../../testing/hostedCvm';
import { eventually, type TestClient } from '../../../testing/server';
import { startFleet, type Fleet } from '../testing/fleet';
import { hostRound } from '../testing/hostRound';

/** Host ports with two teepods on one machine, and with a host that ignores requests. */
let fleet: Fleet;
let other: TestClient;
let port = 8200;

beforeAll(async () => {
  fleet = await startFleet();
  other = await fleet.server.register();
  await db()
    .updateTable('kms')
    .set({ url: `${a().fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey, ca_pubkey: 'ab'.repeat(45) })
    .where('id', '=', a().host.kms.id)
    .execute();
  for (const on of fleet.hosts) await round(on);
});
beforeEach(() => {
  port += 1;
});
afterEach(() => {
  for (const { fake } of fleet.hosts) {
    fake.hidden.clear();
    for (const method of ['ShutdownVm', 'StopVm']) fake.on(`/prpc/${method}`, () => 'pass');
  }
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const a = () => fleet.hosts[0]!;
const b = () => fleet.hosts[1]!;
const driver = () => fleet.server.services.vmm.get(a().host.teepod);
const round = (on = a()) => hostRound(fleet, on);
const now = (cvm: Pick<CvmRow, 'id'>) =>
  db().selectFrom('cvms').selectAll().where('id', '=', cvm.id).executeTakeFirstOrThrow();
const vmOf = (id: string | null) => driver().getInfo(id ?? '');
const portsOf = async (id: string | null) =>
  (await vmOf(id))?.configuration?.ports.map(({ host_port }) => host_port);

const provision = (client: TestClient, on = a(), protocol = 'tcp') =>
  client.call('provisionCvm', {
    body: {
      name: `shared-${port}`,
      teepod_id: on.host.teepod.id,
      ports: [{ protocol, host_port: port, vm_port: 80 }],
      compose_file: { docker_compose_file: COMPOSE },
    },
  });

async function deployed(): Promise<CvmRow> {
  const provisioned = await provision(fleet.member);
  expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
  const { app_id, compose_hash } = provisioned.body as Provision;
  const created = await fleet.member.call('createCvm', { body: { app_id, compose_hash } });
  const { vm_uuid } = created.body as { vm_uuid: string };
  const cvm = await db()
    .selectFrom('cvms')
    .selectAll()
    .where('vm_uuid', '=', vm_uuid)
    .executeTakeFirstOrThrow();
  expect(await endedOperation(db(), cvm)).toMatchObject({ state: 'succeeded' });
  return now(cvm);
}

/** Gives up the CVM's VM, which its host no longer lists. Returns the VM's ID. */
async function givenUp(cvm: CvmRow): Promise<string> {
  const { host_vm_id } = await now(cvm);
  a().fake.hidden.add(host_vm_id!);
  await db()
    .updateTable('cvms')
    .set({ status: 'lost', missing_since: new Date(Date.now() - 120_000), updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  const reply = await fleet.member.call('giveUpCvm', {
    path: { cvm_id: cvm.vm_uuid },
    body: { name: cvm.name },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(await endedOperation(db(), cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
  return host_vm_id!;
}

describe('two teepods of one node', () => {
  const share = (node_id: number) =>
    db().updateTable('teepods').set({ node_id }).where('id', '=', b().host.teepod.id).execute();
  beforeAll(() => share(a().host.teepod.node_id));
  afterAll(() => share(b().host.teepod.node_id));

  it('share its ports', async () => {
    const cvm = await deployed();
    const refused = await provision(other, b());
    expect([refused.status, (refused.body as unknown as Problem).message]).toEqual([
      400,
      `Port ${port}/tcp of ${b().host.teepod.name} is mapped to another CVM.`,
    ]);
    expect((await provision(other, b(), 'udp')).status).toBe(200);
    expect(await portsOf(cvm.host_vm_id)).toEqual([port]);
  });

  it('give a port to only one of two concurrent deployments', async () => {
    for (let i = 0; i < 5; i += 1) {
      port += 1;
      const answers = await Promise.all([provision(fleet.member, a()), provision(other, b())]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });
});

describe('a given-up VM', () => {
  it('that an administrator reassigns gets its ports at the next boot, and can be given up again', async () => {
    const cvm = await deployed();
    const old = await givenUp(cvm);
    a().fake.hidden.clear();
    await eventually('the old VM has no ports', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    a().fake.hidden.add((await now(cvm)).host_vm_id!);
    const repair = await fleet.admin.call('repairAdminTeepod', {
      path: { id: a().host.teepod.id },
      body: { vm_uuids: [cvm.vm_uuid], host_vm_ids: [old] },
    });
    expect(repair.body.rows).toContainEqual(expect.objectContaining({ host_vm_id: old, done: true }));
    await eventually('the CVM runs with it', async () => {
      await round();
      return (await now(cvm)).status === 'running' && (await vmOf(old))?.status === 'running';
    });
    expect((await now(cvm)).host_vm_id).toBe(old);
    expect(await portsOf(old)).toEqual([port]);

    expect(await givenUp(cvm)).toBe(old);
    a().fake.hidden.clear();
    await eventually('the old VM has no ports again', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    expect(await portsOf((await now(cvm)).host_vm_id)).toEqual([port]);
  });

  it('that its host does not stop raises an alert until it stops', async () => {
    const alert = async () => {
      await watchAlerts({ db: db(), dataDir: '/tmp' });
      return db()
        .selectFrom('alerts')
        .select(['title', 'message', 'resolved_at'])
        .where('kind', '=', 'vms_not_stopping')
        .orderBy('id', 'desc')
        .executeTakeFirst();
    };
    const old = await givenUp(await deployed());
    for (const method of ['ShutdownVm', 'StopVm'])
      a().fake.on(`/prpc/${method}`, (_request, response) => response.writeHead(200).end('null'));
    a().fake.hidden.clear();
    await eventually('the request reached the host', async () => {
      await round();
      return a().fake.requests.some((path) => path.startsWith('/prpc/ShutdownVm'));
    });
    expect(await alert()).toBeUndefined();
    await db()
      .updateTable('duplicate_vms')
      .set({ first_seen_at: new Date(Date.now() - 700_000) })
      .where('host_vm_id', '=', old)
      .execute();
    expect(await alert()).toMatchObject({
      title: `The host ${a().host.teepod.name} keeps running 1 VM that CVMs gave up`,
      message: expect.stringContaining(old),
      resolved_at: null,
    });
    for (const method of ['ShutdownVm', 'StopVm']) a().fake.on(`/prpc/${method}`, () => 'pass');
    await eventually('the old VM has no ports', async () => {
      await round();
      return (await portsOf(old))?.length === 0;
    });
    expect((await alert())?.resolved_at).toBeInstanceOf(Date);
  });
});

it('limits the ports a team holds with uncommitted deployments', async () => {
  const holder = await fleet.server.register();
  const hold = (name: string, first: number, count: number) =>
    holder.call('provisionCvm', {
      body: {
        name,
        teepod_id: b().host.teepod.id,
        ports: Array.from({ length: count }, (_, i) => ({
          protocol: 'tcp' as const,
          host_port: first + i,
          vm_port: 80,
        })),
        compose_file: { docker_compose_file: COMPOSE },
      },
    });
  expect((await hold('holds-1', 9100, 20)).status).toBe(200);
  expect((await hold('holds-2', 9200, 20)).status).toBe(200);
  const refused = await hold('holds-3', 9300, 1);
  expect([refused.status, refused.body]).toMatchObject([
    expect.any(Number),
    { message: "This team's open deployments have reserved 40 of at most 40 host ports." },
  ]);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  // Repeating the deployment replaces its reservation.
  const again = await hold('holds-2', 9200, 20);
  expect(again.status).toBe(200);
  const { app_id, compose_hash } = again.body as Provision;
  expect((await holder.call('createCvm', { body: { app_id, compose_hash } })).status).toBe(200);
  expect((await hold('holds-3', 9300, 1)).status).toBe(200);
});
