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
      found: `${other.url}/prpc responds, but not as a dstack-vmm.`,
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
