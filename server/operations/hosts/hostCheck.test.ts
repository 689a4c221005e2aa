import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { startFakeVmm } from '../../drivers/vmm/fake';
import { startFleet, type Fleet } from './testing/fleet';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ RECONCILE_SECONDS: '3600' });
});
afterAll(() => fleet?.close());

const stateOf = (body: AdminTeepodCheck, name: string) => body.checks.find((one) => one.name === name);

describe('checking an address', () => {
  it("doesn't take another program, or a path below the host, for an old host", async () => {
    const other = await startFakeVmm();
    const reply = await fleet.admin.call('checkNewTeepod', { body: { url: `${other.url}/prpc` } });
    const body = reply.body as AdminTeepodCheck;
    expect(body).toMatchObject({ ok: false, version: null });
    expect(stateOf(body, 'reachable')).toMatchObject({
      state: 'failed',
      found: `The server at ${other.url}/prpc isn't a dstack-vmm.`,
    });
    expect(stateOf(body, 'version')?.state).toBe('skipped');
    await other.close();
  });

  it('warns that no CVM fits without a disk size, which hosts do not report', async () => {
    const host = await startFakeVmm();
    const check = async (size: { max_disk_gb?: number }) => {
      const reply = await fleet.admin.call('checkNewTeepod', { body: { url: host.url, ...size } });
      return stateOf(reply.body as AdminTeepodCheck, 'capacity');
    };
    expect(await check({})).toMatchObject({
      state: 'warning',
      found: 'Max disk is empty, so no CVM fits on this host yet.',
    });
    expect(await check({ max_disk_gb: 500 })).toMatchObject({ state: 'passed' });
    await host.close();
  });
});

describe('checking capacity', () => {
  it('warns of more CVMs than the host runs', async () => {
    const host = await startFakeVmm();
    const body = { url: host.url, max_disk_gb: 500, max_cvms: 1_000_000 };
    const reply = await fleet.admin.call('checkNewTeepod', { body });
    expect(stateOf(reply.body as AdminTeepodCheck, 'capacity')).toMatchObject({
      state: 'warning',
      found: 'Max CVMs is 1000000, but the host runs at most 1000.',
      advice: expect.stringContaining("The host's limit applies."),
    });
    await host.close();
  });
});

describe('checking a saved host', () => {
  it('schedules an unresponsive host for its worker’s next round', async () => {
    const { db } = fleet.server.services;
    const { id } = fleet.hosts[0]!.host.teepod;
    const silent = { reachable: false, unanswered: 9, retry_at: new Date(Date.now() + 3_600_000) };
    const retry_at = async () =>
      (await db.selectFrom('teepods').select('retry_at').where('id', '=', id).executeTakeFirst())?.retry_at;
    await db.updateTable('teepods').set(silent).where('id', '=', id).execute();
    expect((await fleet.admin.call('checkAdminTeepod', { path: { id } })).body).toMatchObject({ ok: true });
    expect(await retry_at()).toBeNull();

    await db.updateTable('teepods').set(silent).where('id', '=', id).execute();
    const body = { max_cvms: 7 };
    expect((await fleet.admin.call('updateAdminTeepod', { path: { id }, body })).status).toBe(200);
    expect(await retry_at()).toBeNull();
  });
});
