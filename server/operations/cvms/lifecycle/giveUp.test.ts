import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AdminHostedCvms, NotificationPage } from '../../../../generated/api/types.gen';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { addEvent } from '../../../db/activity/operations';
import { reconcileTeepod } from '../../../jobs/cvms/reconcile';
import { fanOutEvents } from '../../../jobs/notifications/notifyFeed';
import { at, detailOf, startHostedTeam, type HostedTeam } from '../../../testing/hostedTeam';
import { eventually, type TestClient } from '../../../testing/server';

/** Giving up a lost CVM's disk and starting with an empty one. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('given-up')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

const db = () => team.server.services.db;
const driver = () => team.server.services.vmm.get(team.host.teepod);

/** Puts the CVM in the state the reconciler sets after its host hasn't listed the VM for a while. */
async function lost(): Promise<CvmRow> {
  const { cvm } = await team.running();
  team.fake.hidden.add(cvm.host_vm_id!);
  await db()
    .updateTable('cvms')
    // Invalidates the result of a reconciler round in progress.
    .set({ status: 'lost', missing_since: new Date(Date.now() - 120_000), updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  return team.now(cvm);
}

async function round(): Promise<void> {
  const { services } = team.server;
  const teepod = await db()
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', team.host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
}

const giveUp = (cvm: CvmRow, by: TestClient = team.member, name = cvm.name) =>
  by.call('giveUpCvm', { path: at(cvm), body: { name } });

const audited = (cvm: CvmRow) =>
  db()
    .selectFrom('audit_log')
    .select(['action', 'team_id', 'actor_kind', 'before'])
    .where('target_id', '=', cvm.public_id)
    .where('action', '=', 'cvm.give_up')
    .execute();

/** The CVM's VMs in the administrators' list of duplicates. */
async function duplicatesOf(cvm: CvmRow) {
  const { body } = await team.member.call('listHostedCvms', { path: { id: team.host.teepod.id } });
  return (body as AdminHostedCvms).duplicates.find((one) => one.cvm.vm_uuid === cvm.vm_uuid)?.vms;
}

describe('a lost CVM that its owner gives up', () => {
  it('starts with an empty disk, and its old VM is kept when the host lists it again', async () => {
    const cvm = await lost();
    const old = cvm.host_vm_id!;
    const answer = await giveUp(cvm);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({ status: 'starting' });
    expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
    const now = await team.now(cvm);
    expect(now).toMatchObject({ status: 'running', missing_since: null });
    expect(now.host_vm_id).not.toBe(old);
    const vm = await driver().getInfo(now.host_vm_id!);
    expect(vm?.configuration).toMatchObject({
      encrypted_env: cvm.encrypted_env ?? '',
      disk_size: cvm.disk_gb,
    });
    const kinds = await db().selectFrom('events').select('kind').where('cvm_id', '=', cvm.id).execute();
    expect(kinds.map(({ kind }) => kind)).toContain('cvm.given_up');
    expect(await audited(cvm)).toMatchObject([
      { actor_kind: 'user', before: { host_vm_id: old, status: 'lost' } },
    ]);

    team.fake.hidden.clear();
    await round();
    await round();
    expect((await driver().getInfo(old))?.status).toBe('running');
    expect(await team.now(cvm)).toMatchObject({ status: 'running', host_vm_id: now.host_vm_id });
    const duplicates = await duplicatesOf(cvm);
    expect(duplicates).toMatchObject([
      {
        host_vm_id: old,
        is_used: false,
        given_up_at: expect.any(String),
        status: 'running',
        disk_gb: cvm.disk_gb,
      },
      { host_vm_id: now.host_vm_id, is_used: true, given_up_at: null },
    ]);
    // Even after the CVM is deleted, the old VM's data awaits a decision.
    expect(
      (await team.member.call('deleteCvm', { path: at(cvm), query: { permanently: true } })).status,
    ).toBe(204);
    await eventually('it is deleted', async () => (await team.now(cvm)).status === 'deleted');
    await round();
    expect((await driver().getInfo(old))?.status).toBe('running');
    expect(await duplicatesOf(cvm)).toMatchObject([{ host_vm_id: old, is_used: false }]);
  });

  it('does not adopt the old VM while starting', async () => {
    const cvm = await lost();
    const old = cvm.host_vm_id!;
    // The host finds it and drops the request, so the operation looks for a VM before retrying.
    team.fake.on('/prpc/CreateVm', (_request, response) => {
      team.restoreHost();
      response.destroy();
    });
    expect((await giveUp(cvm)).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
    const now = await team.now(cvm);
    expect(now.status).toBe('running');
    expect(now.host_vm_id).not.toBe(old);
  });

  it('is stopped, not lost, when the start is canceled, and can be started again', async () => {
    const cvm = await lost();
    team.fake.on('/prpc/CreateVm', (_request, response) => response.destroy());
    expect((await giveUp(cvm)).status).toBe(200);
    expect((await team.member.call('cancelCvmOperation', { path: at(cvm) })).status).toBeLessThan(300);
    team.restoreHost();
    expect(await team.ended(cvm)).toMatchObject({ state: 'cancelled' });
    expect((await team.now(cvm)).status).not.toBe('lost');
    expect((await team.member.call('startCvm', { path: at(cvm) })).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({ state: 'succeeded' });
  });
});

describe('giving up', () => {
  it('resolves the notification, stating what happened to the data, even after the start', async () => {
    const cvm = await lost();
    await addEvent(db(), {
      cvm,
      kind: 'cvm.lost',
      severity: 'error',
      message: 'Its disk may still be there.',
      data: { since: '2026-11-21T08:00:00Z' },
    });
    const told = async () => {
      await fanOutEvents(db(), 'https://cloud.example.test');
      const { body } = await team.member.call('listNotifications');
      return (body as NotificationPage).data.find(({ title }) => title.startsWith(cvm.name));
    };
    expect(await eventually('the notification', told)).toMatchObject({ resolved_at: null });
    expect((await giveUp(cvm)).status).toBe(200);
    expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
    expect(await told()).toMatchObject({
      resolved_at: expect.any(String),
      message: expect.stringContaining('with an empty disk'),
    });
  });

  it('needs the name typed exactly', async () => {
    const cvm = await lost();
    const answer = await giveUp(cvm, team.member, `${cvm.name} `);
    expect(answer.status).toBe(422);
    expect(detailOf(answer).details).toEqual([
      { field: 'name', message: `Type the CVM's name, ${cvm.name}.` },
    ]);
    const wrong = ['', ' ', cvm.name.toUpperCase(), `${cvm.name}\0`, `\u200b${cvm.name}`, 'x'.repeat(500)];
    for (const name of [...wrong, cvm.public_id, cvm.vm_uuid])
      expect((await giveUp(cvm, team.member, name)).status, name.slice(0, 40)).toBe(422);
    for (const body of [{}, { name: [cvm.name] }, { name: null }, { name: { toString: cvm.name } }])
      expect((await team.member.call('giveUpCvm', { path: at(cvm), body: body as never })).status).toBe(422);
    expect((await team.now(cvm)).host_vm_id).toBe(cvm.host_vm_id);
  });

  it('is refused unless the CVM is lost', async () => {
    const { cvm } = await team.running();
    const answer = await giveUp(cvm);
    expect(answer.status).toBe(409);
    expect(detailOf(answer).message).toContain('only a lost CVM can be given up');
    const { cvm: busy } = await team.running();
    expect((await team.member.call('stopCvm', { path: at(busy) })).status).toBe(200);
    expect((await giveUp(busy)).status).toBe(409);
    await team.ended(busy);
  });

  it('is for owners and admins of the team only', async () => {
    const cvm = await lost();
    expect((await giveUp(cvm, team.colleague)).status).toBe(403);
    expect((await giveUp(cvm, team.stranger)).status).toBe(404);
    expect((await giveUp(cvm, team.server.anonymous)).status).toBe(401);
    expect((await team.now(cvm)).status).toBe('lost');
  });
});

describe('giving up concurrently', () => {
  const created = () => team.fake.requests.filter((path) => path.includes('/prpc/CreateVm')).length;
  const givenUpBy = (cvm: CvmRow) =>
    db().selectFrom('given_up_vms').select('host_vm_id').where('cvm_id', '=', cvm.id).execute();

  it('by the owner, twice, and an administrator takes effect once', async () => {
    const cvm = await lost();
    const before = created();
    const answers = await Promise.all([
      giveUp(cvm),
      giveUp(cvm),
      team.member.call('giveUpAdminCvm', { path: { id: cvm.vm_uuid }, body: { name: cvm.name } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await team.ended(cvm)).toMatchObject({ type: 'start', state: 'succeeded' });
    expect(created()).toBe(before + 1);
    expect(await givenUpBy(cvm)).toEqual([{ host_vm_id: cvm.host_vm_id }]);
    expect(await audited(cvm)).toHaveLength(1);
  });

  it('while its host lists it again leaves one VM in use and both on the host', async () => {
    const removals = () => team.fake.requests.filter((path) => path.includes('/prpc/RemoveVm')).length;
    const removed = removals();
    for (let i = 0; i < 6; i += 1) {
      const cvm = await lost();
      const old = cvm.host_vm_id!;
      const before = created();
      team.fake.hidden.clear();
      const [{ status }] = await Promise.all([giveUp(cvm), round()]);
      expect([200, 409]).toContain(status);
      await eventually('it has settled', async () => {
        await round();
        const now = await team.now(cvm);
        return now.status === 'running';
      });
      const now = await team.now(cvm);
      const isGivenUp = (await givenUpBy(cvm)).length === 1;
      expect(now.host_vm_id === old).toBe(!isGivenUp);
      expect(created()).toBe(before + (isGivenUp ? 1 : 0));
      expect(await driver().getInfo(old)).not.toBeNull();
    }
    expect(removals()).toBe(removed);
  });
});

describe('an administrator', () => {
  const byAdmin = (cvm: CvmRow, name = cvm.name, by = team.member) =>
    by.call('giveUpAdminCvm', { path: { id: cvm.vm_uuid }, body: { name } });

  it("gives up any team's lost CVM, with an entry in the team's audit log", async () => {
    const cvm = await lost();
    expect((await byAdmin(cvm, 'another')).status).toBe(422);
    const answer = await byAdmin(cvm);
    expect(answer.body).toMatchObject({ id: cvm.vm_uuid, status: 'starting' });
    await team.ended(cvm);
    expect(await audited(cvm)).toMatchObject([{ actor_kind: 'staff', team_id: cvm.team_id }]);
    expect((await byAdmin(cvm)).status).toBe(409);
    expect(
      (await team.member.call('giveUpAdminCvm', { path: { id: 'x' }, body: { name: 'x' } })).status,
    ).toBe(404);
  });

  it('needs a platform role', async () => {
    const cvm = await lost();
    expect((await byAdmin(cvm, cvm.name, team.stranger)).status).toBe(403);
    expect((await byAdmin(cvm, cvm.name, team.server.anonymous)).status).toBe(401);
  });
});
