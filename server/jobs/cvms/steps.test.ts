import { afterAll, beforeAll, expect, it } from 'vitest';
import { STEPS } from '../../../console/lib/cvms/steps';
import { beginOperation } from '../../db/activity/operations';
import { withTransaction } from '../../db/core/client';
import { startFleet, type Fleet } from '../../operations/hosts/testing/fleet';
import { insertApp, insertCvm } from '../../testing/cvmFixtures';
import { eventually } from '../../testing/server';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet();
});
afterAll(() => fleet?.close());

it('a step is shown as finished while the next one runs, and the last one with the end of the operation', async () => {
  const { fake, host } = fleet.hosts[0]!;
  const { db, jobs } = fleet.server.services;
  const { who } = fleet;
  const app = await insertApp(db, { ...who, host, name: 'stepwise' });
  const stopped = { host_vm_id: null, status: 'stopped', desired: 'stopped' } as const;
  const cvm = await insertCvm(db, { ...app, host, user_id: who.user_id, change: stopped });
  let answers = 0;
  let isHeld = true;
  // Requested once after the VM was created, then during the boot.
  fake.on('/prpc/GetInfo', (_request, response) => {
    answers += 1;
    if (answers === 1 || !isHeld) return 'pass';
    response.destroy();
    return undefined;
  });
  const { correlation_id } = await withTransaction(db, async (trx) => {
    const operation = await beginOperation(trx, { cvm, type: 'start', user_id: who.user_id });
    await jobs.enqueueOperation(trx, operation.correlation_id);
    return operation;
  });
  const stored = async () => {
    const { state, steps } = await db
      .selectFrom('operations')
      .select(['state', 'steps'])
      .where('correlation_id', '=', correlation_id)
      .executeTakeFirstOrThrow();
    return { state, steps: steps.map((one) => [one.name, one.state, Boolean(one.finished_at)]) };
  };
  await eventually('the CVM boots', async () => (await stored()).steps.at(-1)?.[0] === STEPS.boot);
  expect(await stored()).toEqual({
    state: 'running',
    steps: [
      [STEPS.prepare, 'done', true],
      [STEPS.start, 'done', true],
      [STEPS.boot, 'running', false],
    ],
  });
  isHeld = false;
  await eventually('the CVM runs', async () => (await stored()).state === 'succeeded');
  expect((await stored()).steps.at(-1)).toEqual([STEPS.boot, 'done', true]);
});
