import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockTeam } from '../../db/teams/members';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** A team's writes waiting for a lock must not affect other teams. */

let server: TestServer;
let busy: TestClient;
let other: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { DATABASE_POOL_SIZE: '4' } });
  [busy, other] = await Promise.all([server.register(), server.register()]);
});
afterAll(() => server.stop());

const rename = (client: TestClient, name: string) =>
  client.call('updateWorkspace', { path: { slug: client.slug! }, body: { name } });

/** Runs `work` while nothing else can write to the team of `busy`. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const { team_id } = await identityOf(server.services.db, busy.email!);
  return server.database.db.transaction().execute(async (trx) => {
    await lockTeam(trx, team_id);
    return work();
  });
}

describe('concurrent writes of one team', () => {
  it('leave connections to the database for other teams, and all succeed', async () => {
    const { waiting, answers } = await whileLocked(async () => ({
      waiting: Array.from({ length: 40 }, (_, i) => rename(busy, `Busy ${i}`)),
      answers: await Promise.all(Array.from({ length: 5 }, (_, i) => rename(other, `Other ${i}`))),
    }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const late = await Promise.all(waiting);
    expect(late.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('are refused beyond 500, with Retry-After', async () => {
    const answers = await whileLocked(async () => {
      const all = Array.from({ length: 520 }, (_, i) => rename(busy, `Crowded ${i}`));
      const first = await Promise.race(all);
      expect(first.status).toBe(429);
      return all;
    }).then((all) => Promise.all(all));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(refused.length).toBeLessThanOrEqual(20);
    expect(refused[0]?.body).toMatchObject({
      code: 'ERR-00-008',
      message: '500 changes of this team are in progress. Wait a few seconds and try again.',
    });
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });
});
