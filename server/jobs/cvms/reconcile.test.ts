import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '../../db/audit/auditLog';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { vmName } from '../../domain/cvms/vmName';
import type { VmInfo } from '../../drivers/vmm';
import { insertHost, insertOperation } from '../../testing/cvmFixtures';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually } from '../../testing/server';
import { watchAlerts } from '../platform/alerts';
import { reconcileTeepod } from './reconcile';

/** How the reconciler handles hosts that restart and list unexpected VMs. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('sight')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

const db = () => team.server.services.db;
const driver = () => team.server.services.vmm.get(team.host.teepod);

const teepodRow = (id = team.host.teepod.id) =>
  db().selectFrom('teepods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Runs a separate round, in addition to the server's own. */
async function round(teepod_id?: number): Promise<void> {
  const { services } = team.server;
  await reconcileTeepod(services, services.jobs, await teepodRow(teepod_id));
}

const calls = (method: string) =>
  team.fake.requests.filter((path) => path.includes(`/prpc/${method}`)).length;

const kindsOf = async (cvm: CvmRow) =>
  (await db().selectFrom('events').select('kind').where('cvm_id', '=', cvm.id).orderBy('id').execute()).map(
    ({ kind }) => kind,
  );

const json = (body: unknown) => JSON.stringify(body);

/**
 * Simulates a host restart under running VMs: they run, their progress is `running` and their events are gone.
 */
async function restartHost(cvm: CvmRow): Promise<void> {
  const vm = await driver().getInfo(cvm.host_vm_id ?? '');
  const info: VmInfo = {
    ...vm!,
    boot_progress: 'running',
    events: [],
    exited_at: 'never',
  };
  team.fake.on('/prpc/Status', (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      json({
        vms: [{ ...info, configuration: null }],
        port_mapping_enabled: false,
        total: 1,
      }),
    ),
  );
  team.fake.on('/prpc/GetInfo', (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(json({ found: true, info })),
  );
}

describe('a host that restarted under running VMs', () => {
  it('leaves its CVMs running, without an operation', async () => {
    const { cvm } = await team.running();
    await restartHost(cvm);
    await round();
    await round();
    expect(await team.now(cvm)).toMatchObject({
      status: 'running',
      boot_progress: 'running',
    });
    expect(await kindsOf(cvm)).not.toContain('cvm.repair');
  });

  it('starts a CVM recorded as failed without touching its running VM', async () => {
    const { cvm } = await team.running();
    await restartHost(cvm);
    await db()
      .updateTable('cvms')
      // Newer than any host's answer, so that the reconciler leaves it alone.
      .set({ status: 'error', desired: 'stopped', updated_at: new Date(Date.now() + 60_000) })
      .where('id', '=', cvm.id)
      .execute();
    const before = [calls('StartVm'), calls('StopVm')];
    expect((await team.member.call('startCvm', { path: at(cvm) })).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({
      type: 'start',
      state: 'succeeded',
    });
    expect([calls('StartVm'), calls('StopVm')]).toEqual(before);
  });
});

describe('a stop that failed', () => {
  it('is repeated, but not immediately after it failed', async () => {
    const { cvm } = await team.running();
    const { id } = await insertOperation(db(), cvm, { type: 'stop', state: 'failed' });
    const ended = (ms: number) =>
      db()
        .updateTable('operations')
        .set({ finished_at: new Date(Date.now() + ms) })
        .where('id', '=', id)
        .execute();
    await ended(3_600_000);
    await db()
      .updateTable('cvms')
      .set({ status: 'error', desired: 'stopped', updated_at: new Date(Date.now() - 60_000) })
      .where('id', '=', cvm.id)
      .execute();
    await round();
    expect(await team.now(cvm)).toMatchObject({ status: 'error' });
    await ended(-3_600_000);
    await round();
    await eventually('it is stopped', async () => (await team.now(cvm)).status === 'stopped');
    expect((await driver().getInfo(cvm.host_vm_id!))?.status).toBe('stopped');
    expect(await kindsOf(cvm)).toContain('cvm.repair');
  });
});

describe('another operation that failed on a stopped CVM', () => {
  it('keeps its error, because there is nothing to stop', async () => {
    const { cvm } = await team.running();
    expect((await team.member.call('stopCvm', { path: at(cvm) })).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({ type: 'stop', state: 'succeeded' });
    const { id } = await insertOperation(db(), cvm, { type: 'resize', state: 'failed' });
    await db()
      .updateTable('operations')
      .set({ finished_at: new Date(Date.now() - 3_600_000) })
      .where('id', '=', id)
      .execute();
    await db()
      .updateTable('cvms')
      .set({
        status: 'error',
        status_reason: 'The host refused the size.',
        updated_at: new Date(Date.now() - 60_000),
      })
      .where('id', '=', cvm.id)
      .execute();
    await round();
    await round();
    expect(await team.now(cvm)).toMatchObject({
      status: 'error',
      status_reason: 'The host refused the size.',
    });
    const { n } = await db()
      .selectFrom('operations')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('cvm_id', '=', cvm.id)
      .where('type', '=', 'stop')
      .executeTakeFirstOrThrow();
    expect(n).toBe(1);
  });
});

describe('a start that is canceled', () => {
  it('leaves a VM running that it did not start', async () => {
    const { cvm } = await team.running();
    const vm = await driver().getInfo(cvm.host_vm_id!);
    // The guest reports a step of its boot, so the start waits.
    team.fake.on('/prpc/GetInfo', (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        json({
          found: true,
          info: { ...vm, boot_progress: 'starting containers' },
        }),
      ),
    );
    await db()
      .updateTable('cvms')
      .set({ status: 'error', desired: 'running' })
      .where('id', '=', cvm.id)
      .execute();
    const before = calls('StopVm');
    expect((await team.member.call('startCvm', { path: at(cvm) })).status).toBe(200);
    await eventually('the start waits for the boot', async () => {
      const { body } = await team.member.call('getCvm', { path: at(cvm) });
      return (body as { operation: { step: string | null } | null }).operation?.step === 'boot';
    });
    expect((await team.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBe(202);
    team.fake.on('/prpc/GetInfo', () => 'pass');
    expect(await team.ended(cvm)).toMatchObject({
      type: 'start',
      state: 'cancelled',
    });
    expect(calls('StopVm')).toBe(before);
    expect((await driver().getInfo(cvm.host_vm_id!))?.status).toBe('running');
    expect((await team.now(cvm)).desired).toBe('running');
  });
});

describe('VMs that no CVM uses', () => {
  const create = (name: string) =>
    driver().createVm({
      name,
      image: 'dstack-0.6.0',
      compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
      vcpu: 1,
      memory: 1024,
      disk_size: 10,
      stopped: true,
    });
  const exists = async (id: string) => {
    const vm = await driver().getInfo(id);
    return vm !== null && vm.status !== 'removing';
  };
  /** Deletes these CVMs as if their host had been away, and returns the VMs left behind. */
  const leave = async (...cvms: CvmRow[]): Promise<string[]> => {
    await db()
      .updateTable('cvms')
      .set({
        status: 'deleted',
        desired: 'deleted',
        deleted_at: new Date(),
        updated_at: new Date(0),
      })
      .where(
        'id',
        'in',
        cvms.map(({ id }) => id),
      )
      .execute();
    return cvms.map(({ host_vm_id }) => host_vm_id!);
  };

  it('keeps a second VM of a CVM, whichever one the CVM uses', async () => {
    const { cvm } = await team.running();
    const second = await create(vmName(cvm));
    await round();
    expect([await exists(second), await exists(cvm.host_vm_id!)]).toEqual([true, true]);
    await db().updateTable('cvms').set({ host_vm_id: second }).where('id', '=', cvm.id).execute();
    await round();
    expect([await exists(second), await exists(cvm.host_vm_id!)]).toEqual([true, true]);
    await db().updateTable('cvms').set({ host_vm_id: cvm.host_vm_id }).where('id', '=', cvm.id).execute();
    await driver().removeVm(second);
  });

  it('keeps the VMs of a host that was registered twice, including those in the recycle bin', async () => {
    const { cvm } = await team.running();
    const { cvm: recycled } = await team.running();
    expect((await team.member.call('deleteCvm', { path: at(recycled) })).status).toBe(204);
    await eventually('it is in the recycle bin', async () => (await team.now(recycled)).status === 'stopped');
    const twin = await insertHost(db(), { name: 'twin', url: team.fake.url });
    await round(twin.teepod.id);
    await round(twin.teepod.id);
    expect([await exists(cvm.host_vm_id!), await exists(recycled.host_vm_id!)]).toEqual([true, true]);
    await db().updateTable('teepods').set({ state: 'offline' }).where('id', '=', twin.teepod.id).execute();
  });

  it('removes VMs left behind by a deletion, with an event and an audit entry', async () => {
    const { cvm } = await team.running();
    const [left = ''] = await leave(cvm);
    let requests = 0;
    // The host accepts requests without acting on them, like a slow one.
    team.fake.on('/prpc/RemoveVm', (_request, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('null');
    });
    await round();
    await round();
    expect(requests).toBeGreaterThanOrEqual(2);
    expect(await exists(left)).toBe(true);
    team.fake.on('/prpc/RemoveVm', () => 'pass');
    await eventually('it is removed', async () => {
      await round();
      return !(await exists(left));
    });
    expect((await kindsOf(cvm)).filter((kind) => kind === 'cvm.vm_removed')).toHaveLength(1);
    const trail = await db()
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'teepod.vm_removed')
      .execute();
    expect(trail).toEqual([
      {
        after: expect.objectContaining({
          host_vm_id: left,
          reason: 'cvm_deleted',
        }) as unknown,
      },
    ]);
  });

  it('removes at most five within an hour', async () => {
    const { cvm } = await team.running();
    const [left = ''] = await leave(cvm);
    const removal = {
      actor_kind: 'system' as const,
      action: 'teepod.vm_removed',
      target_kind: 'teepod',
      target_id: String(team.host.teepod.id),
    };
    // The previous test removed one.
    await appendAudit(
      db(),
      Array.from({ length: 4 }, () => removal),
    );
    await round();
    expect(await exists(left)).toBe(true);
    expect(await kindsOf(cvm)).not.toContain('cvm.vm_removed');
    await sql`alter table audit_log disable trigger all`.execute(db());
    await sql`update audit_log set at = at - interval '1 hour' where action = 'teepod.vm_removed'`.execute(
      db(),
    );
    await sql`alter table audit_log enable trigger all`.execute(db());
    await eventually('it is removed', async () => {
      await round();
      return !(await exists(left));
    });
    expect(await kindsOf(cvm)).toContain('cvm.vm_removed');
  });

  it('removes none while suspiciously many look left behind, and raises an alert', async () => {
    const cvms: CvmRow[] = [];
    for (let n = 0; n < 4; n += 1) cvms.push((await team.running()).cvm);
    const left = await leave(...cvms);
    await round();
    expect(await Promise.all(left.map(exists))).toEqual([true, true, true, true]);
    await watchAlerts({ db: db(), dataDir: '/tmp' });
    const alert = () =>
      db()
        .selectFrom('alerts')
        .select(['severity', 'resolved_at'])
        .where('kind', '=', 'strays_held')
        .executeTakeFirst();
    expect(await alert()).toEqual({ severity: 'critical', resolved_at: null });
    // The administrator removes one by hand, so few enough are left.
    await driver().removeVm(left[0]!);
    await eventually('one is removed', async () => !(await exists(left[0]!)));
    // A host too slow to remove one in a round removes it in a later one.
    await eventually('the others are removed', async () => {
      await round();
      return !(await Promise.all(left.map(exists))).includes(true);
    });
    await watchAlerts({ db: db(), dataDir: '/tmp' });
    expect((await alert())?.resolved_at).toBeInstanceOf(Date);
  });
});
