import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { createVmmDriver } from '../../drivers/vmm/rpc';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { eventually } from '../../testing/server';

/**
 * kill -9 of the server during a drain. Afterwards the drain has ended and no CVM is half-moved: each runs
 * on exactly one host, the one its row names, and holds its resources only there.
 */
const KILLS = Number(process.env.CHAOS_DRAIN_KILLS ?? 4);
const CVMS = 6;
// Read-only and without volumes: a move loses nothing.
const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n    read_only: true\n';

let server: ChaosServer;
let other: FakeVmm;
beforeAll(async () => {
  [server, other] = await Promise.all([
    startChaosServer(),
    startFakeVmm({ stage_ms: 60, images: ['dstack-local-0.6.0', 'dstack-local-dev-0.6.0'] }),
  ]);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await other?.close();
});

it(`a drain survives ${KILLS} kills`, { timeout: 600_000 }, async () => {
  const { query } = server;
  for (let n = 0; n < CVMS; n++) await server.deploy(() => false, `drained-${n}`, COMPOSE);
  await eventually(
    'all are running',
    async () => (await query("select id from cvms where status = 'running'")).length === CVMS,
    60,
  );
  // A second host like the first one: its key service, its gateway, its image.
  const [local] = await query<{ id: number; node_id: number }>('select id, node_id from teepods');
  // With its image from the start, and not due: the server would read another gateway from the host.
  await query(`with other as (
      insert into teepods (node_id, kms_id, name, kind, url, reachable, max_cvms, max_vcpu, max_memory_mb, max_disk_gb,
        gateway_base_domain, facts_due_at)
      select node_id, kms_id, 'other', 'dstack_vmm', '${other.url}', true, 100, 1000, 1000000, 100000,
        gateway_base_domain, now() + interval '1 day' from teepods
      returning id)
    insert into teepod_os_images (teepod_id, os_image_id)
    select other.id, i.os_image_id from other, teepod_os_images i`);

  const began = await server.call('POST', `/admin/teepods/${local?.id}/drain`, { reason: 'chaos' });
  expect(began?.status).toBe(202);
  const id = Number(began?.body.id);
  for (let n = 0; n < KILLS; n++) {
    // Kill mid-drain, while a move is in progress.
    await eventually('a move is in progress, or all is done', async () => {
      const rows = await query(
        "select 1 from operations where type = 'move' and state in ('queued', 'running')",
      );
      const ended = await query(
        `select 1 from drains where id = ${id} and state not in ('running', 'blocked')`,
      );
      return rows.length > 0 || ended.length > 0;
    });
    await server.kill('server');
  }
  await eventually(
    'the drain has ended',
    async () => (await query(`select 1 from drains where id = ${id} and state = 'succeeded'`)).length === 1,
    90,
  );

  const cvms = await query<{
    vm_uuid: string;
    status: string;
    host: string;
    held: string[];
    moving: number;
  }>(`
    select c.vm_uuid, c.status, t.name as host,
      array(select h.name from reservations r join teepods h on h.id = r.teepod_id where r.cvm_id = c.id) as held,
      (select count(*)::int from reservations r where r.cvm_id = c.id and r.moving) as moving
    from cvms c join teepods t on t.id = c.teepod_id`);
  expect(cvms).toHaveLength(CVMS);
  for (const cvm of cvms)
    expect(cvm).toMatchObject({ status: 'running', host: 'other', held: ['other'], moving: 0 });
  const uuids = cvms.map(({ vm_uuid }) => vm_uuid).sort();
  const there = createVmmDriver({ url: other.url });
  const listed = await there.status({ brief: true });
  expect(listed.vms.map(({ name }) => uuidOfVmName(name)).sort()).toEqual(uuids);
  const here = server.driver();
  await eventually('the old host has nothing left', async () => {
    const { vms } = await here.status({ brief: true });
    return vms.length === 0;
  });
  await Promise.all([there.close(), here.close()]);
});
