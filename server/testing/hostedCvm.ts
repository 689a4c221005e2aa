import type { Db } from '../db/core/client';
import type { CvmRow } from '../db/cvms/cvmsTable';
import type { OperationRow } from '../db/activity/operationsTable';
import type { TeepodRow } from '../db/hosts/teepodsTable';
import { vmName } from '../domain/cvms/vmName';
import type { VmmRegistry } from '../drivers/vmm';
import { insertApp, insertCvm, type TestApp, type TestHost } from './cvmFixtures';
import { eventually } from './server';

interface Services {
  readonly db: Db;
  readonly vmm: VmmRegistry;
}

interface Hosted {
  host: TestHost;
  team_id: number;
  user_id: number;
}

/** Creates a CVM on a fake host, in the database and on the host, with a new app or the given one. */
export async function runningCvm(
  { db, vmm }: Services,
  { host, team_id, user_id, ...given }: Hosted & ({ name: string } | { of: TestApp }),
): Promise<{ app: TestApp; cvm: CvmRow }> {
  const who = { team_id, user_id };
  const app = 'of' in given ? given.of : await insertApp(db, { ...who, host, name: given.name });
  let cvm = await insertCvm(db, {
    ...app,
    host,
    ...who,
    change: { host_vm_id: null, status: 'stopped', desired: 'stopped' },
  });
  const driver = vmm.get(host.teepod);
  const host_vm_id = await driver.createVm({
    name: vmName(cvm),
    image: cvm.os_image,
    compose_file: app.revision.app_compose,
    vcpu: 1,
    memory: 2048,
    disk_size: 20,
    app_id: app.app.app_id,
  });
  const info = await eventually('the guest is up', async () => {
    const vm = await driver.getInfo(host_vm_id);
    return vm?.boot_progress === 'done' ? vm : null;
  });
  cvm = await db
    .updateTable('cvms')
    .set({
      host_vm_id,
      instance_id: info.instance_id,
      status: 'running',
      desired: 'running',
      updated_at: new Date(),
    })
    .where('id', '=', cvm.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('reservations')
    .values({
      teepod_id: host.teepod.id,
      team_id,
      cvm_id: cvm.id,
      vcpu: 1,
      memory_mb: 2048,
      disk_gb: 20,
      provision_id: null,
      expires_at: null,
    })
    .execute();
  return { app, cvm };
}

/** Returns the CVM's latest operation once it has ended. */
export const endedOperation = (db: Db, cvm: Pick<CvmRow, 'id'>): Promise<OperationRow> =>
  eventually('the operation has ended', async () => {
    const row = await db
      .selectFrom('operations')
      .selectAll()
      .where('cvm_id', '=', cvm.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && row.state !== 'queued' && row.state !== 'running' ? row : null;
  });

/** The app-compose.json that the VM booted with, as its guest reports it. */
export async function bootedCompose({ vmm }: Services, teepod: TeepodRow, cvm: CvmRow): Promise<string> {
  const info = await vmm.get(teepod).guest.info(cvm.host_vm_id ?? '');
  return (JSON.parse(info.tcb_info) as { app_compose: string }).app_compose;
}
