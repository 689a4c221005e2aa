import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { eventually } from '../../testing/server';
import { watchAlerts } from '../platform/alerts';
import { reconcileTeepod } from './reconcile';

/** CVMs whose VM their host no longer lists. */
let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('lost')));
afterEach(() => team.restoreHost());
afterAll(() => team.close());

const db = () => team.server.services.db;
const driver = () => team.server.services.vmm.get(team.host.teepod);

/** Runs a separate round, in addition to the server's own. */
async function round(): Promise<void> {
  const { services } = team.server;
  const teepod = await db()
    .selectFrom('teepods')
    .selectAll()
    .where('id', '=', team.host.teepod.id)
    .executeTakeFirstOrThrow();
  await reconcileTeepod(services, services.jobs, teepod);
}

/** Runs rounds that are further apart than a restarting host's silence. */
async function later(): Promise<void> {
  await db()
    .updateTable('cvms')
    .set({ missing_since: new Date(Date.now() - 120_000) })
    .where('missing_since', 'is not', null)
    .execute();
  await round();
}

/** Creates a CVM whose VM has been missing from the host's list for long enough. */
async function lost(): Promise<CvmRow> {
  const { cvm } = await team.running();
  team.fake.hidden.add(cvm.host_vm_id!);
  await round();
  await untilLost(cvm);
  return team.now(cvm);
}

/** A host too slow to answer every question changes nothing in that round. */
const untilLost = (cvm: CvmRow) =>
  eventually('the CVM is lost', async () => {
    await later();
    return (await team.now(cvm)).status === 'lost';
  });

const calls = (method: string) =>
  team.fake.requests.filter((path) => path.includes(`/prpc/${method}`)).length;

const eventsOf = (cvm: CvmRow) =>
  db()
    .selectFrom('events')
    .select(['kind', 'message', 'severity', 'data'])
    .where('cvm_id', '=', cvm.id)
    .orderBy('id')
    .execute();
const kindsOf = async (cvm: CvmRow) => (await eventsOf(cvm)).map(({ kind }) => kind);

const refuse = (method: string, error: string) =>
  team.fake.on(`/prpc/${method}`, (_request, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  );

describe("a running CVM whose VM is missing from its host's list", () => {
  it('is lost after a while, is never created again, and recovers when the host lists it', async () => {
    const { cvm } = await team.running();
    const created = calls('CreateVm');
    team.fake.hidden.add(cvm.host_vm_id!);
    await round();
    expect((await team.now(cvm)).status, 'a moment is not enough').toBe('running');
    await later();
    expect(await team.now(cvm)).toMatchObject({
      status: 'lost',
      desired: 'running',
      host_vm_id: cvm.host_vm_id,
      started_at: null,
    });
    const event = (await eventsOf(cvm)).find(({ kind }) => kind === 'cvm.lost');
    expect(event).toMatchObject({ severity: 'error', data: { host: 'lost' } });
    expect(event?.message).toContain('doesn’t list this CVM’s VM');
    await later();
    team.fake.hidden.clear();
    await round();
    expect(await team.now(cvm)).toMatchObject({
      status: 'running',
      host_vm_id: cvm.host_vm_id,
      missing_since: null,
      status_reason: null,
    });
    expect(await kindsOf(cvm)).toContain('cvm.recovered');
    expect(calls('CreateVm')).toBe(created);
  });

  it("shows since when, and the host's answer", async () => {
    const cvm = await lost();
    const { body } = await team.member.call('getCvm', { path: at(cvm) });
    expect(body).toMatchObject({
      status: 'lost',
      lost_since: cvm.missing_since?.toISOString(),
      status_reason: expect.stringContaining('The host lost responds') as string,
      in_progress: false,
    });
    const older = await team.member.call('getCvm', {
      path: at(cvm),
      headers: { 'x-phala-version': '2025-10-28' },
    });
    expect((older.body as { status: string }).status).toBe('error');
  });

  it('is checked first: the host reloads its VMs', async () => {
    const { cvm } = await team.running();
    team.fake.hidden.add(cvm.host_vm_id!);
    team.fake.on('/prpc/ReloadVms', () => {
      team.fake.hidden.clear();
      return 'pass';
    });
    await round();
    await later();
    expect(await team.now(cvm)).toMatchObject({ status: 'running', missing_since: null });
    expect(await kindsOf(cvm)).not.toContain('cvm.lost');
  });

  it('keeps running while the supervisor runs its process', async () => {
    const { cvm } = await team.running();
    team.fake.hidden.add(cvm.host_vm_id!);
    team.fake.processes.add(cvm.host_vm_id!);
    await round();
    await later();
    expect((await team.now(cvm)).status).toBe('running');
    team.fake.processes.clear();
    await untilLost(cvm);
  });

  it('is not lost while the host does not answer', async () => {
    const { cvm } = await team.running();
    team.fake.hidden.add(cvm.host_vm_id!);
    team.fake.on('/prpc/SvList', (_request, response) => response.destroy());
    await round();
    await later();
    expect((await team.now(cvm)).status).toBe('running');
  });

  it('is lost on hosts that support neither request, and with the reason why VMs could not be loaded', async () => {
    for (const method of ['ReloadVms', 'SvList']) refuse(method, `Service not found: ${method}`);
    const cvm = await lost();
    expect(cvm.status_reason).not.toContain('asked to reload');
    team.restoreHost();
    refuse('ReloadVms', 'Failed to read the run directory: Input/output error');
    expect((await lost()).status_reason).toContain('Input/output error');
  });

  it('is started again when the host lists it as stopped', async () => {
    const cvm = await lost();
    team.fake.hidden.clear();
    await driver().stopVm(cvm.host_vm_id!);
    await round();
    await eventually('the CVM runs again', async () => (await team.now(cvm)).status === 'running');
    expect((await team.now(cvm)).host_vm_id).toBe(cvm.host_vm_id);
  });

  it('is not replaced by another VM with its name', async () => {
    const { cvm } = await team.running();
    const { name } = (await driver().getInfo(cvm.host_vm_id!))!;
    const other = await driver().createVm({
      name,
      image: 'dstack-0.6.0',
      compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
      vcpu: 1,
      memory: 1024,
      disk_size: 10,
    });
    team.fake.hidden.add(cvm.host_vm_id!);
    await round();
    await later();
    const now = await team.now(cvm);
    expect(now).toMatchObject({ status: 'lost', host_vm_id: cvm.host_vm_id });
    expect(now.status_reason).toContain('another VM of this CVM');
    team.fake.hidden.clear();
    await round();
    expect(await team.now(cvm)).toMatchObject({ status: 'running', host_vm_id: cvm.host_vm_id });
    await driver().removeVm(other);
  });

  it('raises an alert for administrators until it is found', async () => {
    const cvm = await lost();
    const alert = () =>
      db()
        .selectFrom('alerts')
        .select(['title', 'message', 'severity', 'resolved_at'])
        .where('kind', '=', 'cvms_lost')
        .orderBy('id', 'desc')
        .executeTakeFirst();
    await watchAlerts({ db: db(), dataDir: '/tmp' });
    expect(await alert()).toMatchObject({ severity: 'critical', resolved_at: null });
    expect((await alert())?.message).toContain('mounted and readable');
    team.fake.hidden.clear();
    await round();
    await eventually('all are found', async () => {
      const left = await db().selectFrom('cvms').select('id').where('status', '=', 'lost').execute();
      return left.length === 0;
    });
    await watchAlerts({ db: db(), dataDir: '/tmp' });
    expect((await alert())?.resolved_at).toBeInstanceOf(Date);
    expect((await team.now(cvm)).status).toBe('running');
  });
});

describe("a stopped CVM whose VM is missing from its host's list", () => {
  it('is lost, and stopped again when it is found', async () => {
    const { cvm } = await team.running();
    expect((await team.member.call('stopCvm', { path: at(cvm) })).status).toBe(200);
    await team.ended(cvm);
    team.fake.hidden.add(cvm.host_vm_id!);
    await round();
    await later();
    expect((await team.now(cvm)).status).toBe('lost');
    team.fake.hidden.clear();
    await round();
    expect(await team.now(cvm)).toMatchObject({ status: 'stopped', missing_since: null });
    expect(await kindsOf(cvm)).toContain('cvm.found');
  });

  it('stays in the recycle bin', async () => {
    const { cvm } = await team.running();
    expect((await team.member.call('deleteCvm', { path: at(cvm) })).status).toBe(204);
    await eventually('it is in the bin', async () => (await team.now(cvm)).status === 'stopped');
    team.fake.hidden.add(cvm.host_vm_id!);
    await round();
    await later();
    expect((await team.now(cvm)).status).toBe('stopped');
  });
});

describe('a lost CVM', () => {
  it('is not billed until it is found', async () => {
    const cvm = await lost();
    const usage = async () => {
      const { body } = await team.member.call('getCvmUsage', { path: at(cvm) });
      const { lines } = body as { lines: { status: string; basis: string; hourly_rate: string }[] };
      return lines.findLast(({ basis }) => basis !== 'disk');
    };
    await eventually('a second of it is metered', async () => (await usage())?.status === 'lost');
    expect(await usage()).toMatchObject({ basis: 'none', hourly_rate: '0.00' });
    team.fake.hidden.clear();
    await round();
    await eventually('a second of it is metered', async () => (await usage())?.status === 'running');
    expect((await usage())?.basis).toBe('size');
  });

  it('refuses every change but deletion', async () => {
    const cvm = await lost();
    for (const operation of ['startCvm', 'stopCvm', 'restartCvm', 'shutdownCvm'] as const) {
      const answer = await team.member.call(operation, { path: at(cvm) });
      expect([operation, answer.status]).toEqual([operation, 409]);
    }
    expect((await team.member.call('deleteCvm', { path: at(cvm) })).status).toBe(204);
    await eventually('it is deleted', async () => (await team.now(cvm)).status === 'deleted');
  });
});
