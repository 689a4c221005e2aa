import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdminDuplicateVmRow } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { vmName } from '../../../domain/cvms/vmName';
import { reconcileTeepod } from '../../../jobs/cvms/reconcile';
import { startHostedTeam, type HostedTeam } from '../../../testing/hostedTeam';
import { eventually } from '../../../testing/server';

/** The administrators' list of duplicate VMs, and their removal. The member is an administrator. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('twice')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

const db = () => team.server.services.db;
const driver = () => team.server.services.vmm.get(team.host.teepod);

async function round(): Promise<void> {
  const { services } = team.server;
  const teepod = await db()
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', team.host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
}

async function list(cvm: CvmRow): Promise<AdminDuplicateVmRow[]> {
  const reply = await team.member.call('listAdminDuplicateVms', {
    query: { filter: JSON.stringify({ cvm_id: cvm.vm_uuid }), range: '[0,9]' },
  });
  expect(reply.status).toBe(200);
  return reply.body as AdminDuplicateVmRow[];
}

/** A running CVM, and a second VM with its name on the same host. */
async function duplicated(): Promise<{ cvm: CvmRow; second: string; row: AdminDuplicateVmRow }> {
  const { cvm } = await team.running();
  const second = await driver().createVm({
    name: vmName(cvm),
    image: 'dstack-0.6.0',
    compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
    vcpu: 1,
    memory: 1024,
    disk_size: 30,
    stopped: true,
  });
  await round();
  const [row] = await list(cvm);
  if (!row) throw new Error('the duplicate is not listed');
  return { cvm, second, row };
}

const remove = (id: number, client = team.member) => client.call('removeAdminDuplicateVm', { path: { id } });

describe('duplicate VMs', () => {
  it('are listed with their contents, without the VM in use', async () => {
    const { cvm, second, row } = await duplicated();
    expect(await list(cvm)).toHaveLength(1);
    expect(row).toMatchObject({
      host_vm_id: second,
      teepod_id: team.host.teepod.id,
      cvm_status: 'running',
      status: 'stopped',
      disk_gb: 30,
      memory_mb: 1024,
      given_up_at: null,
    });
    expect((await team.member.call('getAdminDuplicateVm', { path: { id: row.id } })).body).toMatchObject({
      host_vm_id: second,
    });
    await round();
    const [again] = await list(cvm);
    expect(again).toMatchObject({ id: row.id, first_seen_at: row.first_seen_at, disk_gb: 30 });
  });

  it('disappear once their host no longer lists them', async () => {
    const { cvm, second } = await duplicated();
    await driver().removeVm(second);
    await eventually('it is forgotten', async () => {
      await round();
      return (await list(cvm)).length === 0;
    });
  });

  it('are removed by an administrator, with an event and an entry in the audit log of the team', async () => {
    const { cvm, second, row } = await duplicated();
    expect(await remove(row.id)).toMatchObject({ status: 200, body: { status: 'removing' } });
    await eventually('it is removed', async () => {
      await round();
      return (await list(cvm)).length === 0 && (await driver().getInfo(second)) === null;
    });
    expect((await driver().getInfo(cvm.host_vm_id ?? ''))?.status).toBe('running');
    const trail = await db()
      .selectFrom('audit_log')
      .select(['team_id', 'actor_kind', 'before'])
      .where('action', '=', 'duplicate_vm.remove')
      .where('target_id', '=', cvm.public_id)
      .execute();
    expect(trail).toMatchObject([
      { team_id: cvm.team_id, actor_kind: 'staff', before: { host_vm_id: second, disk_gb: 30 } },
    ]);
    const kinds = await db().selectFrom('events').select('kind').where('cvm_id', '=', cvm.id).execute();
    expect(kinds.filter(({ kind }) => kind === 'cvm.vm_removed')).toHaveLength(1);
    expect((await remove(row.id)).status).toBe(404);
  });

  it('are kept while a CVM uses them', async () => {
    const { cvm, second } = await duplicated();
    const { cvm: other } = await team.running();
    const uses = (host_vm_id: string | null) =>
      db()
        .updateTable('cvms')
        .set({
          // In the recycle bin, which the reconciler ignores.
          status: 'deleted',
          deleted_at: new Date(),
          purge_at: host_vm_id === null ? null : new Date(Date.now() + 3_600_000),
          host_vm_id,
        })
        .where('id', '=', other.id)
        .execute();
    const reply = await eventually('the removal is refused', async () => {
      await uses(null);
      await round();
      const [listed] = await list(cvm);
      await uses(second);
      const answer = await remove(listed?.id ?? 0);
      // The server's own reconciler, running in between, drops the record of a VM in use.
      return answer.status !== 404 && answer;
    });
    expect(reply).toMatchObject({ status: 409, body: { code: 'ERR-00-015' } });
    expect((await driver().getInfo(second))?.status).toBe('stopped');
  });

  it('are kept while their CVM is busy, and while their host is unreachable', async () => {
    const { cvm, second, row } = await duplicated();
    const { id: operation_id } = await db()
      .insertInto('operations')
      .values({
        correlation_id: crypto.randomUUID(),
        team_id: cvm.team_id,
        cvm_id: cvm.id,
        type: 'restart',
        state: 'running',
        target: 'running',
        requested_by: null,
        lease_owner: 'test',
        lease_until: new Date(Date.now() + 600_000),
        deadline_at: new Date(Date.now() + 600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await remove(row.id)).toMatchObject({ status: 409, body: { code: 'ERR-00-016' } });
    await db().deleteFrom('operations').where('id', '=', operation_id).execute();
    team.fake.on('/prpc/GetInfo', (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"away"}'),
    );
    expect((await remove(row.id)).body).toMatchObject({ code: 'ERR-00-017' });
    team.restoreHost();
    expect((await driver().getInfo(second))?.status).toBe('stopped');
  });

  it('are for platform staff only', async () => {
    for (const client of [team.colleague, team.stranger]) {
      expect((await client.call('listAdminDuplicateVms')).status).toBe(403);
      expect((await client.call('getAdminDuplicateVm', { path: { id: 1 } })).status).toBe(403);
      expect((await remove(1, client)).status).toBe(403);
    }
    expect((await remove(999_999)).status).toBe(404);
    expect((await team.member.call('getAdminDuplicateVm', { path: { id: 999_999 } })).status).toBe(404);
  });
});
