import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { beginOperation } from '../../db/activity/operations';
import { withTransaction } from '../../db/core/client';
import { vmName } from '../../domain/cvms/vmName';
import { startFleet, type Fleet } from '../../operations/hosts/testing/fleet';
import { insertApp, insertCvm } from '../../testing/cvmFixtures';
import { eventually } from '../../testing/server';

/** A worker that resumes after a pause, such as a paused machine, while another has taken its operation. */
let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => fleet?.close());

it('a worker that paused longer than its lease does not create a second VM', async () => {
  const { fake, host } = fleet.hosts[0]!;
  const { db, jobs, vmm } = fleet.server.services;
  const { who } = fleet;
  const app = await insertApp(db, { ...who, host, name: 'paused' });
  const ports = JSON.stringify([{ protocol: 'tcp', host_port: 18_080, vm_port: 80 }]);
  const given = { host_vm_id: null, status: 'stopped', desired: 'stopped' } as const;
  const cvm = await insertCvm(db, { ...app, host, user_id: who.user_id, change: given });
  await db.updateTable('cvms').set({ ports }).where('id', '=', cvm.id).execute();
  const created: string[] = [];
  fake.on('/prpc/CreateVm', (_request, _response, { name }) => {
    created.push(String(name));
    return 'pass';
  });

  const now = performance.now.bind(performance);
  let paused = false;
  /** Simulates another worker in the meantime. */
  async function takeOver(): Promise<void> {
    await db
      .updateTable('operations')
      .set({ lease_owner: 'another', lease_until: new Date(Date.now() + 3_600_000) })
      .where('cvm_id', '=', cvm.id)
      .execute();
    const { os_image: image, vcpu, memory_mb: memory, disk_gb: disk_size } = cvm;
    const { app_compose: compose_file } = app.revision;
    const { app_id } = app.app;
    await vmm
      .get(host.teepod)
      .createVm({ name: vmName(cvm), image, compose_file, vcpu, memory, disk_size, app_id });
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
  }
  // The last host request before CreateVm looks for VMs of this CVM that hold its ports.
  fake.on('/prpc/Status', (_request, response, { keyword, brief }) => {
    if (paused || brief || keyword !== cvm.vm_uuid.replaceAll('-', '')) return 'pass';
    paused = true;
    void takeOver().then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"vms":[],"total":0,"port_mapping_enabled":true}'),
    );
    return undefined;
  });
  await withTransaction(db, async (trx) => {
    const operation = await beginOperation(trx, { cvm, type: 'start', user_id: who.user_id });
    await jobs.enqueueOperation(trx, operation.correlation_id);
  });
  await eventually('another worker has created the VM', () => Promise.resolve(created.length > 0));

  // The other worker leaves it, and the first continues from the current state.
  await eventually('the paused worker has given up and starts again', async () => {
    await db
      .updateTable('operations')
      .set({ lease_until: new Date(0) })
      .where('cvm_id', '=', cvm.id)
      .where('lease_owner', '=', 'another')
      .execute();
    const row = await db
      .selectFrom('operations')
      .select('attempts')
      .where('cvm_id', '=', cvm.id)
      .executeTakeFirst();
    return (row?.attempts ?? 0) > 1;
  });
  vi.restoreAllMocks();
  await eventually('the CVM runs', async () => {
    const row = await db.selectFrom('cvms').select('status').where('id', '=', cvm.id).executeTakeFirst();
    return row?.status === 'running';
  });
  expect(created).toEqual([vmName(cvm)]);
});
