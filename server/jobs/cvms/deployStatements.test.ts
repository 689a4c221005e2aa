import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { STEPS } from '../../../console/lib/cvms/steps';
import { beginOperation } from '../../db/activity/operations';
import { withTransaction } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { createChainDriver } from '../../drivers/chain/rpc';
import type { VmInfo } from '../../drivers/vmm';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { createVmmRegistry } from '../../drivers/vmm/registry';
import { createVmmDriver } from '../../drivers/vmm/rpc';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { countQueries, type QueryCounter } from '../../testing/queryCount';
import { eventually } from '../../testing/server';
import { insertTeam } from '../../testing/teamFixtures';
import { reconcileTeepod } from './reconcile';
import { runOperation, type Worker } from './runOperation';

/**
 * Statements of a worker for one deployment, from its claim to its end, and for one round on a host; a transaction includes
 * its `begin` and `commit`.
 * The requests' part is in operations/core/queryBudgets.test.ts.
 */
const BUDGET = 13;
const STAGES = ['init-script', 'mounting data disk', 'requesting app keys', 'starting containers', 'done'];
/** Its VMs stay where the tests put them. */
const NEVER_MS = 3_600_000;

let counter: QueryCounter;
let database: TestDatabase;
let fake: FakeVmm;
let host: TestHost;
let team_id: number;
let worker: Worker;
const vmm = createVmmRegistry(createVmmDriver, (sealed) => sealed);

beforeAll(async () => {
  counter = countQueries();
  database = await createTestDatabase();
  const { db } = database;
  fake = await startFakeVmm({ stage_ms: NEVER_MS });
  host = await insertHost(db, { url: fake.url, kind: 'dstack_vmm' });
  ({ id: team_id } = await insertTeam(db, 'deploying'));
  const stopping = new AbortController().signal;
  const log = createLogger('silent');
  worker = { db, vmm, chain: createChainDriver([]), log, tracing: null, id: 'counted', stopping };
  fake.on('/guest/ListContainers', (_request, response) => {
    const containers = [{ names: ['/web'], image: 'nginx', image_id: 'sha256:1', state: 'running' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ containers }));
  });
});
beforeEach(() => fake.on('/prpc/GetInfo', () => 'pass'));
afterAll(async () => {
  counter.stop();
  await vmm.close();
  await fake?.close();
  await database?.drop();
});

async function queued(
  name: string,
  type: 'deploy' | 'start' = 'deploy',
): Promise<{ cvm: CvmRow; correlation_id: string }> {
  const { db } = database;
  const app = await insertApp(db, { team_id, host, name });
  await db.updateTable('revisions').set({ live_at: null }).where('id', '=', app.revision.id).execute();
  const state =
    type === 'deploy'
      ? ({ status: 'creating' } as const)
      : ({ status: 'stopped', desired: 'stopped' } as const);
  const change = { host_vm_id: null, instance_id: null, boot_progress: null, ...state };
  const cvm = await insertCvm(db, { ...app, host, change });
  const { correlation_id } = await withTransaction(db, (trx) =>
    beginOperation(trx, { cvm, type, user_id: null }),
  );
  return { cvm, correlation_id };
}

/**
 * From its second answer on, the host reports the boot up to this stage, one event per stage.
 * @param before happens before each of these answers
 */
function reportBoot(
  stage: () => string,
  more: Partial<VmInfo> = {},
  before: () => Promise<unknown> = () => Promise.resolve(),
): number[] {
  const began = Date.now() - 10_000;
  const times = STAGES.map((_, n) => began + n * 50);
  let asked = 0;
  fake.on('/prpc/GetInfo', (_request, response, { id }) => {
    asked += 1;
    if (asked === 1) return 'pass';
    const reached = STAGES.indexOf(stage());
    const info = {
      id,
      name: 'reported',
      status: 'running',
      instance_id: 'ab'.repeat(20),
      boot_progress: STAGES[reached],
      events: STAGES.slice(0, reached + 1).map((body, n) => ({
        event: 'boot.progress',
        body,
        timestamp: times[n],
      })),
      ...more,
    };
    void before().then(() =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ found: true, info })),
    );
    return undefined;
  });
  return times;
}

const run = (correlation_id: string) => runOperation(worker, correlation_id, () => undefined);
const rowOf = ({ id }: CvmRow) =>
  database.db.selectFrom('cvms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const eventsOf = ({ id }: CvmRow) =>
  database.db.selectFrom('events').selectAll().where('cvm_id', '=', id).orderBy('id').execute();
const boots = STAGES.map((stage) => `Boot: ${stage}`);

it(`a deployment takes a worker at most ${BUDGET}, and keeps every step of the boot with its time`, async () => {
  const { cvm, correlation_id } = await queued('counted');
  const times = reportBoot(() => 'done');
  const statements = (await counter.of(() => run(correlation_id)))
    // On a slow machine, the lease is renewed.
    .filter((text) => !/^\s*update "operations" set lease_until/.test(text));
  const shown = statements.map((text) => text.trim().slice(0, 160)).join('\n');
  expect(statements.length, shown).toBeLessThanOrEqual(BUDGET);

  const { db } = database;
  const { state, steps } = await db
    .selectFrom('operations')
    .select(['state', 'steps'])
    .where('correlation_id', '=', correlation_id)
    .executeTakeFirstOrThrow();
  expect(state, shown).toBe('succeeded');
  expect(steps.map(({ name, state: ended }) => [name, ended])).toEqual(
    [STEPS.prepare, STEPS.start, STEPS.boot].map((name) => [name, 'done']),
  );
  expect(await rowOf(cvm)).toMatchObject({
    status: 'running',
    boot_progress: 'done',
    instance_id: 'ab'.repeat(20),
  });
  const events = await eventsOf(cvm);
  expect(events.map(({ kind, message }) => (kind.startsWith('deploy') ? kind : message))).toEqual([
    'deploy.requested',
    'Boot: booting',
    ...boots,
    'deploy.succeeded',
  ]);
  const told = events.filter(({ kind }) => kind === 'host.boot.progress');
  expect(told.map(({ created_at }) => created_at.getTime())).toEqual(times);
  const { resolved_images, live_at } = await db
    .selectFrom('revisions')
    .select(['resolved_images', 'live_at'])
    .where('id', '=', cvm.revision_id)
    .executeTakeFirstOrThrow();
  expect(resolved_images).toMatchObject([{ image: 'nginx' }]);
  expect(live_at).not.toBeNull();
});

it('shows how far a boot is while it continues', async () => {
  const { cvm, correlation_id } = await queued('watched');
  let stage = 'mounting data disk';
  reportBoot(() => stage);
  const done = run(correlation_id);
  await eventually('its progress is shown', async () => (await rowOf(cvm)).boot_progress === stage);
  const messages = (await eventsOf(cvm)).map(({ message }) => message);
  expect(messages.slice(-2)).toEqual(boots.slice(0, 2));
  stage = 'done';
  await done;
  expect(await rowOf(cvm)).toMatchObject({ status: 'running', boot_progress: 'done' });
});

it('keeps the last steps of a boot that ends early, above its end', async () => {
  const { cvm, correlation_id } = await queued('ended');
  reportBoot(() => 'requesting app keys', { status: 'exited', exited_at: '5s' });
  await run(correlation_id);
  expect(await rowOf(cvm)).toMatchObject({ status: 'error', boot_progress: 'requesting app keys' });
  const kinds = (await eventsOf(cvm)).map(({ kind, message }) =>
    kind === 'host.boot.progress' ? message : kind,
  );
  expect(kinds).toEqual([
    'deploy.requested',
    'boot.progress',
    ...boots.slice(0, 3),
    'host.vmm.exited',
    'deploy.failed',
  ]);
});

const operationOf = (correlation_id: string) =>
  database.db
    .selectFrom('operations')
    .selectAll()
    .where('correlation_id', '=', correlation_id)
    .executeTakeFirstOrThrow();

it('does not succeed once its cancellation was accepted, even if all its work is done', async () => {
  const { cvm, correlation_id } = await queued('cancelled', 'start');
  const cancel = () =>
    database.db
      .updateTable('operations')
      .set({ cancel_requested_at: new Date() })
      .where('correlation_id', '=', correlation_id)
      .execute();
  reportBoot(() => 'done', {}, cancel);
  // From then on, the host says what it does.
  fake.on('/prpc/StopVm', () => {
    fake.on('/prpc/GetInfo', () => 'pass');
    return 'pass';
  });
  await run(correlation_id);
  expect(await operationOf(correlation_id)).toMatchObject({ state: 'cancelled', lease_owner: null });
  expect(await rowOf(cvm)).toMatchObject({ status: 'stopped', desired: 'stopped' });
  const kinds = (await eventsOf(cvm)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => /succeeded|cancelled/.test(kind))).toEqual(['start.cancelled']);
});

it('changes nothing at its end if another worker has taken it over', async () => {
  const { cvm, correlation_id } = await queued('taken');
  const takeOver = () =>
    database.db
      .updateTable('operations')
      .set({ lease_owner: 'another', lease_until: new Date(Date.now() + 3_600_000) })
      .where('correlation_id', '=', correlation_id)
      .execute();
  reportBoot(() => 'done', {}, takeOver);
  await run(correlation_id);
  expect(await operationOf(correlation_id)).toMatchObject({ state: 'running', lease_owner: 'another' });
  expect(await rowOf(cvm)).toMatchObject({ status: 'creating', boot_progress: 'booting', instance_id: null });
  expect((await eventsOf(cvm)).map(({ kind }) => kind)).not.toContain('deploy.succeeded');
  const { live_at } = await database.db
    .selectFrom('revisions')
    .select('live_at')
    .where('id', '=', cvm.revision_id)
    .executeTakeFirstOrThrow();
  expect(live_at).toBeNull();
});

it('a round on a host on which all is as stored takes one', async () => {
  const { db } = database;
  const { teepod } = await insertHost(db, { url: fake.url, kind: 'dstack_vmm' });
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod.id}, id from os_images`.execute(
    db,
  );
  fake.on('/prpc/Status', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ vms: [], port_mapping_enabled: false, total: 0 }));
  });
  const jobs = { enqueueOperation: () => Promise.reject(new Error('Nothing is to be repaired.')) };
  const repairer = { ...worker, config: { billingEnforced: false } };
  const statements = await counter.of(() => reconcileTeepod(repairer, jobs as never, teepod));
  expect(statements, statements.join('\n')).toHaveLength(1);
  const { last_seen_at } = await db
    .selectFrom('teepods')
    .select('last_seen_at')
    .where('id', '=', teepod.id)
    .executeTakeFirstOrThrow();
  expect(last_seen_at).not.toBeNull();
});
