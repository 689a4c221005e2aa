import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { eventually } from '../../testing/server';

/**
 * kill -9 of the server, of the local teepod and of both, at random moments during updates, rollbacks,
 * resizes, cancellations and rolling updates. Afterwards everything has ended in time, no CVM is lost or
 * duplicated, reservations equal what the CVMs have, and each CVM runs the revision the database calls live.
 */
const KILLS = Number(process.env.CHAOS_CHANGE_KILLS ?? 12);
const SINGLES = 3;

const compose = (words: string) =>
  `services:\n  web:\n    image: nginx:alpine\n    command: ["echo", "${words}"]\n`;
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)] as T;

let server: ChaosServer;
beforeAll(async () => {
  server = await startChaosServer();
}, 120_000);
afterAll(() => server?.close());

const mine: string[] = [];
const accepted = (status: number | undefined) => status === 200 || status === 202;

/** Changes one CVM repeatedly; refusals because of the previous change are expected. */
async function changeOne(stop: () => boolean, lane: number): Promise<void> {
  const made = await server.deploy(stop, `change-${lane}`, compose('one'));
  if (!made) return;
  const uuid = String(made.vm_uuid);
  const app_id = String(made.app_id);
  mine.push(uuid);
  for (let round = 0; !stop(); round++) {
    const change = pick(['update', 'update', 'rollback', 'resize', 'restart'] as const);
    let hasChanged = true;
    await server.repeat(stop, async () => {
      if (change === 'rollback') {
        const page = await server.call('GET', `/apps/${app_id}/revisions?page_size=100`);
        const revisions = (page?.body.revisions ?? []) as { revision_id: string }[];
        if (revisions.length === 0) return false;
        const path = `/cvms/${uuid}/revisions/${pick(revisions).revision_id}/redeploy`;
        return accepted((await server.call('POST', path, { reason: 'chaos' }))?.status);
      }
      if (change === 'restart')
        return accepted((await server.call('POST', `/cvms/${uuid}/restart`, { force: true }))?.status);
      const body =
        change === 'update'
          ? { docker_compose_file: compose(`round ${round} of ${lane}`), reason: 'chaos' }
          : { vcpu: pick([1, 2, 3]), memory: pick([1024, 2048, 4096]) };
      const answer = await server.call('PATCH', `/cvms/${uuid}`, body);
      // 400: the CVM already has that size. Nothing changed, so its deployment may still be in progress.
      hasChanged = answer?.status !== 400;
      return accepted(answer?.status) || (change === 'resize' && answer?.status === 400);
    });
    // Canceling a deployment deletes the CVM.
    if (hasChanged && Math.random() < 0.4) {
      await wait(Math.random() * 600);
      await server.call('POST', `/cvms/${uuid}/operations/cancel`);
    }
  }
}

/** Rolls an app of three CVMs from one compose file to the next, sometimes canceling midway. */
async function roll(stop: () => boolean): Promise<void> {
  const made = await server.deploy(stop, 'rolling', compose('first'));
  if (!made) return;
  const app_id = String(made.app_id);
  mine.push(String(made.vm_uuid));
  for (let more = 0; more < 2 && !stop(); more++)
    await server.repeat(stop, async () => {
      const answer = await server.call('POST', `/apps/${app_id}/instances`, {});
      if (answer?.status === 200) mine.push(String(answer.body.vm_uuid));
      return answer?.status === 200;
    });
  for (let round = 0; !stop(); round++) {
    let rollout_id = '';
    await server.repeat(stop, async () => {
      const answer = await server.call('POST', `/apps/${app_id}/rollouts`, {
        docker_compose_file: compose(`rolled ${round}`),
        settle_seconds: 0,
        health_timeout_seconds: 30,
      });
      rollout_id = String(answer?.body.rollout_id ?? '');
      return answer?.status === 202;
    });
    if (Math.random() < 0.5) {
      await wait(500 + Math.random() * 2_000);
      await server.call('POST', `/apps/${app_id}/rollouts/${rollout_id}/cancel`, {
        mode: pick(['keep', 'revert']),
      });
    }
  }
}

interface EndedCvm {
  vm_uuid: string;
  status: string;
  host_vm_id: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  app_compose: string;
}

it(`changes survive ${KILLS} kills at random moments`, { timeout: 600_000 }, async () => {
  let stopped = false;
  const stop = () => stopped;
  const lanes = [...Array.from({ length: SINGLES }, (_, lane) => changeOne(stop, lane)), roll(stop)];
  await server.killOften(KILLS);
  stopped = true;
  await Promise.all(lanes);
  const { query } = server;
  const live = `select correlation_id::text as id from operations where state in ('queued', 'running')
    union all select public_id from rollouts where state in ('queued', 'running', 'reverting')`;
  await eventually(
    'every operation and rollout has ended',
    async () => (await query(live)).length === 0,
    180,
  );
  expect(await server.late()).toEqual([]);

  // CVMs left in error must be started by a user; they then boot the configuration in their row, like all
  // others.
  const broken = await query<{ vm_uuid: string }>("select vm_uuid from cvms where status = 'error'");
  for (const { vm_uuid } of broken) {
    const answer = await eventually('it can be started', async () => {
      const started = await server.call('POST', `/cvms/${vm_uuid}/start`);
      return started?.status === 200 ? started : null;
    });
    expect(answer.status).toBe(200);
  }
  await eventually(
    'all are running',
    async () => {
      const rows = await query("select id from cvms where deleted_at is null and status <> 'running'");
      return rows.length === 0 && (await query(live)).length === 0;
    },
    60,
  );

  const cvms = await query<EndedCvm>(`
    select c.vm_uuid, c.status, c.host_vm_id, c.vcpu, c.memory_mb, c.disk_gb, r.app_compose
    from cvms c join revisions r on r.id = c.revision_id where c.deleted_at is null`);
  for (const uuid of mine)
    expect(
      cvms.map(({ vm_uuid }) => vm_uuid),
      'every acknowledged CVM is there',
    ).toContain(uuid);
  const driver = server.driver();
  const onHost = await eventually('the host shows each CVM once, and nothing else', async () => {
    const page = await driver.status({}).catch(() => null);
    const uuids = page?.vms.map((vm) => uuidOfVmName(vm.name)).sort();
    return JSON.stringify(uuids) === JSON.stringify(cvms.map(({ vm_uuid }) => vm_uuid).sort()) ? page : null;
  });
  for (const cvm of cvms) {
    const vm = onHost?.vms.find(({ id }) => id === cvm.host_vm_id);
    expect(vm?.configuration, cvm.vm_uuid).toMatchObject({
      compose_file: cvm.app_compose,
      vcpu: cvm.vcpu,
      memory: cvm.memory_mb,
      disk_size: cvm.disk_gb,
    });
    const { tcb_info } = await driver.guest.info(cvm.host_vm_id);
    expect((JSON.parse(tcb_info) as { app_compose: string }).app_compose, 'the live revision runs').toBe(
      cvm.app_compose,
    );
  }
  await driver.close();

  const [held] = await query<Record<string, number>>(`select
    (select count(*)::int from reservations r left join cvms c on c.id = r.cvm_id
      where r.cvm_id is not null and c.deleted_at is not null) as leaked,
    (select count(*)::int from cvms c left join reservations r on r.cvm_id = c.id where c.deleted_at is null
      and (r.id is null or (r.vcpu, r.memory_mb, r.disk_gb) <> (c.vcpu, c.memory_mb, c.disk_gb))) as other_size,
    (select count(*)::int from (select app_id, number from revisions group by 1, 2 having count(*) > 1) d) as numbered_twice,
    (select count(*)::int from cvms c join revisions r on r.id = c.revision_id
      where c.deleted_at is null and r.live_at is null) as never_live,
    (select count(*)::int from rollout_items i join rollouts o on o.id = i.rollout_id
      where i.state in ('waiting', 'updating', 'checking', 'reverting')) as left_over`);
  expect(held).toEqual({ leaked: 0, other_size: 0, numbered_twice: 0, never_live: 0, left_over: 0 });
  const said = await query<{ type: string; state: string; n: number }>(`
    select type, state, count(*)::int as n from operations group by 1, 2
    union all select 'rollout', state, count(*)::int from rollouts group by 2 order by 1, 2`);
  console.info(
    `chaos: ${KILLS} kills, ${server.accepted()} changes acknowledged, ${broken.length} CVMs left in error; ${said.map((row) => `${row.type} ${row.state} ${row.n}`).join(', ')}`,
  );
  const odd = await query(
    "select error_code, error_message from operations where state = 'failed' and error_code = 'ERR-00-009'",
  );
  expect(odd).toEqual([]);
});
