import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { insertTeam } from '../../../testing/teamFixtures';
import { STOPPED } from '../../cvms/cvmsTable';
import { keptUntil } from '../../cvms/recycleBin';
import { runwayOfTeam } from './rateChanges';

let database: TestDatabase;
let host: TestHost;
beforeAll(async () => {
  database = await createTestDatabase();
  host = await insertHost(database.db);
});
afterAll(() => database.drop());

const HOUR_MS = 3_600_000;
const after = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR_MS);

/** Inserts a CVM that ran and was stopped, for which only the disk is billed: in the recycle bin, or not. */
async function stopped(team_id: number, name: string, bin?: { deleted_at: Date; purge_at: Date }) {
  const { db } = database;
  const cvm = await insertCvm(db, { ...(await insertApp(db, { team_id, host, name })), host });
  await db
    .updateTable('cvms')
    .set({ ...STOPPED, ...bin })
    .where('id', '=', cvm.id)
    .execute();
  return cvm;
}

it('counts a disk in the recycle bin until it is destroyed', async () => {
  const { db } = database;
  const { id } = await insertTeam(db, 'tidy');
  const now = after(new Date(), 1);
  const purge_at = after(now, 24);
  await stopped(id, 'gone', { deleted_at: now, purge_at });
  const dollar = 1_000_000;
  const { current, changes, seconds } = await runwayOfTeam(db, id, now, dollar);
  expect(current.hourly).toBe(2_000);
  expect(changes).toEqual([{ at: purge_at, more: -2_000 }]);
  // Nothing is billed once it is destroyed.
  expect(seconds).toBeNull();
  await stopped(id, 'kept');
  const both = await runwayOfTeam(db, id, now, dollar);
  expect(both.current.hourly).toBe(4_000);
  const left = both.current.balance + dollar - 24 * 4_000;
  expect(both.seconds! / 3600).toBeCloseTo(24 + left / 2_000, 1);
});

it('reads a limited number of disks in the recycle bin, latest deletions first', async () => {
  const { db } = database;
  const { id } = await insertTeam(db, 'untidy');
  const now = new Date();
  const [, middle, last] = await Promise.all(
    [3, 2, 1].map((hours) => {
      const deleted_at = after(now, -hours);
      return stopped(id, `deleted-${hours}`, { deleted_at, purge_at: after(deleted_at, 24) });
    }),
  );
  expect([...(await keptUntil(db, id)).keys()]).toHaveLength(3);
  expect([...(await keptUntil(db, id, 2)).keys()]).toEqual([last!.id, middle!.id]);
});
