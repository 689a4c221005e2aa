import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEvent } from '../../db/activity/operations';
import { insertRevision } from '../../db/apps/revisions';
import type { Db, Tx } from '../../db/core/client';
import { retryCounts } from '../../db/core/retries';
import { STOPPED, type CvmRow } from '../../db/cvms/cvmsTable';
import { publicId } from '../../domain/core/publicId';
import { purgeTime } from '../../domain/cvms/recycleBin';
import { COMPOSE, type TestApp } from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';
import { lockRace } from '../../testing/lockRace';

/**
 * Rows reference their team, so a transaction that inserts one holds the team's row until it commits. A request that
 * waits for an app or host lock must not block such inserts.
 */

let team: HostedTeam;
let db: Db;
let app: TestApp;
let cvm: CvmRow;
let neighbor: CvmRow;
beforeAll(async () => {
  // Nothing else writes during the tests.
  team = await startHostedTeam('order', { TEEHOUSE_ROLE: 'web' });
  db = team.server.services.db;
  await sql`insert into teepod_os_images (teepod_id, os_image_id)
    select ${team.host.teepod.id}, id from os_images where name = 'dstack-0.6.0' on conflict do nothing`.execute(
    db,
  );
  ({ app, cvm } = await team.running());
  const { team_id, created_by } = cvm;
  ({ cvm: neighbor } = await runningCvm(team.server.services, {
    host: team.host,
    team_id,
    user_id: created_by!,
    of: app,
  }));
});
afterAll(() => team?.close());

/** Has the other transaction record an event of the team. */
const meeting = <Answer>(lock: (trx: Tx) => Promise<unknown>, request: () => Promise<Answer>) =>
  lockRace(db, lock, {
    request,
    meanwhile: (trx) => addEvent(trx, { cvm: neighbor, kind: 'host.note', message: 'Recorded meanwhile' }),
  });

const newRevision = (trx: Tx, of: TestApp = app) =>
  insertRevision(trx, {
    public_id: publicId('rev'),
    app_id: of.app.id,
    app_compose: of.revision.app_compose,
    compose_hash: of.revision.compose_hash,
    docker_compose_file: of.revision.docker_compose_file,
    pre_launch_script: null,
    allowed_envs: [],
    os_image: 'dstack-0.6.0',
    operation_type: 'update',
    reason: null,
    created_by: null,
    template_version_id: null,
  });

const holdHost = (trx: Tx) =>
  trx.selectFrom('teepods').select('id').where('id', '=', cvm.teepod_id).forNoKeyUpdate().execute();

describe('a request that waits doesn’t block other writes', () => {
  it('for an app while its other CVM is updated: a rollout', async () => {
    const own = await team.running();
    const begun = await lockRace(db, (trx) => newRevision(trx, own.app), {
      request: () =>
        team.member.call('createRollout', {
          path: { app_id: own.app.app.app_id },
          body: { docker_compose_file: COMPOSE.replace('GREETING}', 'GREETING:-two}') },
        }),
      meanwhile: (trx) => addEvent(trx, { cvm: own.cvm, kind: 'host.note', message: 'Recorded meanwhile' }),
    });
    expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  });

  it('for an app while its other CVM is updated: a new replica', async () => {
    const made = await meeting(
      (trx) => newRevision(trx),
      () => team.member.call('createCvmReplica', { path: at(cvm), body: {} }),
    );
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  });

  it('for a host while another deployment reserves on it: a larger size', async () => {
    const resized = await meeting(holdHost, () =>
      team.member.call('updateCvmResources', {
        path: at(cvm),
        body: { memory: 4096, allow_restart: true },
      }),
    );
    expect(resized.status, JSON.stringify(resized.body)).toBe(202);
  });

  it('for a host while another deployment reserves on it: a restored CVM', async () => {
    const { cvm: deleted } = await team.running();
    await db
      .updateTable('cvms')
      .set({ ...STOPPED, deleted_at: new Date(), purge_at: purgeTime() })
      .where('id', '=', deleted.id)
      .execute();
    const restored = await meeting(holdHost, () =>
      team.member.call('restoreCvm', { path: at(deleted), body: {} }),
    );
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
  });
});

it('numbers revisions consistently when two transactions have both written to an app', async () => {
  const deadlocks = retryCounts().get('40P01');
  let missing = 2;
  let go = () => {};
  const both = new Promise<void>((resolve) => (go = resolve));
  const numbers = await Promise.all(
    [cvm, neighbor].map((one) =>
      db.transaction().execute(async (trx) => {
        await addEvent(trx, { cvm: one, kind: 'host.note', message: 'Before its next revision' });
        if (--missing === 0) go();
        await both;
        return (await newRevision(trx)).number;
      }),
    ),
  );
  expect(Math.abs(numbers[0]! - numbers[1]!)).toBe(1);
  expect(retryCounts().get('40P01')).toBe(deadlocks);
});
