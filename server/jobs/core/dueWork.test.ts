import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dueWork, type DueWork } from '../../db/platform/dueWork';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { startTestServer } from '../../testing/server';
import { createDueWork } from './dueWork';

let database: TestDatabase;
let nothing: DueWork;
beforeAll(async () => {
  database = await createTestDatabase();
  nothing = await dueWork(database.db);
});
afterAll(() => database.drop());
afterEach(() => vi.restoreAllMocks());

describe('due work', () => {
  it('is nothing in an empty installation', () => {
    expect(Object.values(nothing)).not.toContain(true);
  });

  it('is queried once by tasks that run together, and again a moment later', async () => {
    let at = 0;
    const read = vi.fn(async () => ({ ...nothing, mail: read.mock.calls.length === 2 }));
    const isDue = createDueWork(read, () => at);
    expect(await Promise.all([isDue('mail'), isDue('drains'), isDue('operations', 'mail')])).toEqual([
      false,
      false,
      false,
    ]);
    at += 100;
    expect(await isDue('mail')).toBe(false);
    expect(read).toHaveBeenCalledTimes(1);
    at += 100;
    expect(await Promise.all([isDue('mail'), isDue('drains'), isDue('operations', 'mail')])).toEqual([
      true,
      false,
      true,
    ]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is queried again after a failure', async () => {
    let at = 0;
    const read = vi.fn(async () => nothing).mockRejectedValueOnce(new Error('no connection'));
    const isDue = createDueWork(read, () => at);
    await expect(isDue('mail')).rejects.toThrow('no connection');
    at += 200;
    expect(await isDue('mail')).toBe(false);
  });
});

/** Statements per second; each costs about a millisecond of processor time, all day. */
const BUDGET = 20;
const SECONDS = 5;

it(`an idle server sends its database at most ${BUDGET} queries a second`, async () => {
  // Connections keep the method they find when they open, so the spy comes first.
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const server = await startTestServer();
  try {
    // Every task runs once at startup.
    await wait(3_000);
    query.mockClear();
    await wait(SECONDS * 1_000);
    const { length } = query.mock.calls;
    // The server isn't idle altogether.
    expect(length).toBeGreaterThan(SECONDS);
    expect(length).toBeLessThanOrEqual(BUDGET * SECONDS);
  } finally {
    await server.stop();
  }
});
