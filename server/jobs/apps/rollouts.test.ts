import { expect, it } from 'vitest';
import { publicId } from '../../domain/core/publicId';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { createTestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { sweepRollouts, type RolloutWorld } from './rollouts';

it('a rollout begins behind any number of others that take long', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  try {
    const host = await insertHost(db);
    const { id: team_id } = await insertTeam(db, 'rolling');
    const rollout = async (name: string, state: 'queued' | 'running') => {
      const app = await insertApp(db, { team_id, host, name });
      const { id } = await db
        .insertInto('rollouts')
        .values({
          public_id: publicId('rol'),
          team_id,
          app_id: app.app.id,
          revision_id: app.revision.id,
          state,
          reason: null,
          settle_seconds: 0,
          health_timeout_seconds: 60,
          deadline_at: new Date(Date.now() + 3_600_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { ...app, id };
    };
    for (let number = 0; number < 50; number++) {
      const { id, ...app } = await rollout(`busy-${number}`, 'running');
      const cvm = await insertCvm(db, { ...app, host });
      const { id: operation_id } = await insertOperation(db, cvm, { type: 'update' });
      await db
        .insertInto('rollout_items')
        .values({
          rollout_id: id,
          position: 1,
          cvm_id: cvm.id,
          state: 'updating',
          previous_revision_id: cvm.revision_id,
          previous_os_image: cvm.os_image,
          operation_id,
        })
        .execute();
    }
    const { id: last } = await rollout('next', 'queued');
    const world = {
      db,
      log: createLogger('silent'),
      owner: 'elsewhere-1-x',
      stopping: new AbortController().signal,
    };
    await sweepRollouts(world as unknown as RolloutWorld);
    const { started_at } = await db
      .selectFrom('rollouts')
      .select('started_at')
      .where('id', '=', last)
      .executeTakeFirstOrThrow();
    expect(started_at).not.toBeNull();
  } finally {
    await database.drop();
  }
});
