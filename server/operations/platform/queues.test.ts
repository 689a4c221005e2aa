import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AdminQueueJob, AdminSchedule, AdminWorker } from '../../../generated/api/types.gen';
import { STEPS } from '../../../console/lib/cvms/steps';
import { withTransaction } from '../../db/core/client';
import { adminQueueJob } from '../../db/platform/adminQueues';
import { troublesOf } from '../../db/platform/alertTroubles';
import { cancelling } from '../../domain/activity/cancelling';
import { transitions, type OperationType } from '../../domain/cvms/cvmStates';
import { samples } from '../../domain/notifications/mail/testing/samples';
import type { PeriodicScope } from '../../jobs/core/periodic';
import { createScheduleRuns } from '../../jobs/core/scheduleRuns';
import { watchAlerts } from '../../jobs/platform/alerts';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { startAdminTest, type AdminTest } from '../core/admin/testing/admin';

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web', SMTP_URL: 'smtp://127.0.0.1:9' });
});
afterAll(() => test.server.stop());

const queue = async (id: string) => (await test.admin.call('getAdminQueue', { path: { id } })).body;
const jobsOf = async (queue_id: string) =>
  (await test.admin.call('listAdminQueueJobs', { query: { filter: JSON.stringify({ queue_id }) } }))
    .body as AdminQueueJob[];

describe('queues', () => {
  it('are listed, idle on a new server', async () => {
    const reply = await test.admin.call('listAdminQueues');
    expect(reply.status).toBe(200);
    const ids = (reply.body as { id: string }[]).map(({ id }) => id).sort();
    expect(ids).toEqual(
      [
        'bulk_jobs',
        'chat',
        'domains',
        'events',
        'mail',
        'notifications',
        'operations',
        'rollouts',
        'webhooks',
      ].sort(),
    );
    expect((await test.admin.call('getAdminQueue', { path: { id: 'nope' } })).status).toBe(404);
    expect((await test.member.call('listAdminQueues')).status).toBe(403);
  });

  it('show waiting jobs and their age, but no recipients or contents', async () => {
    const { services } = test.server;
    await withTransaction(services.db, (trx) =>
      services.mail.enqueue(trx, {
        to: 'ada@example.test',
        template: 'reset_password',
        data: samples().reset_password,
      }),
    );
    const due = (at: Date) =>
      services.db
        .updateTable('outbox')
        .set({ next_attempt_at: at })
        .where('to', '=', 'ada@example.test')
        .execute();
    await due(new Date(Date.now() + 600_000));
    expect(await queue('mail'), 'nothing runs').toMatchObject({ state: 'waiting', running: 0 });
    await due(new Date(Date.now() - 600_000));
    expect(await queue('mail')).toMatchObject({ state: 'late', oldest_due_at: expect.any(String) });
    const job = (await jobsOf('mail')).find(({ name }) => name.startsWith('reset_password'));
    expect(job).toMatchObject({
      name: 'reset_password to a•••@example.test',
      state: 'waiting',
      can_cancel: true,
    });
    const whole = await test.admin.call('getAdminQueueJob', { path: { id: job?.id ?? '' } });
    expect(JSON.stringify(whole.body)).toContain('•••');
    expect(JSON.stringify(whole.body)).not.toMatch(/ada@example|v1\./);
    const cancelled = await test.admin.call('cancelAdminQueueJob', { path: { id: job?.id ?? '' } });
    expect(cancelled.body).toMatchObject({ state: 'failed', last_error: 'Canceled by an administrator.' });
    // No fault of the platform, and nobody is paged.
    expect(await queue('mail')).toMatchObject({ state: 'waiting', failed: 1 });
    expect((await troublesOf(services.db)).filter(({ kind }) => kind === 'mail_failing')).toEqual([]);
    const again = await test.admin.call('retryAdminQueueJob', { path: { id: job?.id ?? '' } });
    expect(again.body).toMatchObject({ state: 'waiting', attempts: 0 });
    expect((await test.audits('queue_job', job?.id ?? '')).map(({ action }) => action)).toEqual([
      'queue_job.cancel',
      'queue_job.retry',
    ]);
  });

  it('name an email’s kind as in the notification settings', async () => {
    const { db } = test.server.services;
    const team = await db.selectFrom('teams').select('id').limit(1).executeTakeFirstOrThrow();
    const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
    await db
      .insertInto('notifications')
      .values({
        public_id: 'ntf_queued',
        team_id: team.id,
        user_id: user.id,
        kind: 'host_trouble',
        subject: 'host:1',
        severity: 'warning',
        title: 'rack1-a is not responding',
        message: '',
        cvm_id: null,
        resolved_at: null,
        read_at: null,
        mail_due_at: new Date(Date.now() + 600_000),
        mailed_at: null,
        mailed_state: null,
      })
      .execute();
    expect((await jobsOf('notifications')).map(({ name }) => name)).toEqual(['mail: Host outages']);
  });

  it('cancel an operation like its owner, and reject a retry of a permanent failure', async () => {
    const { db } = test.server.services;
    const host = await insertHost(db);
    const team = await db.selectFrom('teams').selectAll().limit(1).executeTakeFirstOrThrow();
    const app = await insertApp(db, { team_id: team.id, host, name: 'queued' });
    const cvm = await insertCvm(db, { ...app, host });
    const { id } = await db
      .insertInto('operations')
      .values({
        correlation_id: crypto.randomUUID(),
        team_id: team.id,
        cvm_id: cvm.id,
        type: 'stop',
        target: cvm.name,
        payload: JSON.stringify({
          encrypted_env: 'ab12cd',
          user_config: '{"password":"hunter2"}',
          previous: { status: 'running', desired: 'running' },
        }),
        deadline_at: new Date(Date.now() + 60_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const path = { id: `operation-${id}` };
    const read = await test.admin.call('getAdminQueueJob', { path });
    expect(read.body).toMatchObject({
      queue_id: 'operations',
      team_id: team.id,
      workspace: team.slug,
      can_retry: true,
    });
    const ofTeam = await test.admin.call('listAdminQueueJobs', {
      query: { filter: JSON.stringify({ team_id: [team.id], queue_id: 'operations' }) },
    });
    expect(ofTeam.body).toMatchObject([{ id: path.id, team_id: team.id }]);
    expect(JSON.stringify(read.body)).not.toMatch(/ab12cd|hunter2/);
    expect((await test.admin.call('retryAdminQueueJob', { path })).status).toBe(200);
    expect((await test.admin.call('cancelAdminQueueJob', { path })).status).toBe(200);
    const row = await db
      .selectFrom('operations')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.state).toBe('cancelled');
    await db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date(), error_message: 'no room' })
      .where('id', '=', id)
      .execute();
    expect((await test.admin.call('retryAdminQueueJob', { path })).status).toBe(409);
    expect(await queue('operations')).toMatchObject({ state: 'failing', failed: 1, failed_last_hour: 1 });
    expect((await test.admin.call('retryAdminQueueJob', { path: { id: 'mail-999999' } })).status).toBe(404);

    // An app that fails to boot isn't a platform error.
    const fails = (id_of_reason: string) =>
      db
        .updateTable('operations')
        .set({
          error_keys: JSON.stringify([
            { id: id_of_reason, params: {} },
            { id: 'size_kept', params: {} },
          ]),
        })
        .where('id', '=', id)
        .execute();
    for (const reason of ['boot_error', 'keys_refused_hash']) {
      await fails(reason);
      expect(await queue('operations')).toMatchObject({ state: 'idle', failed: 1, failed_last_hour: 1 });
    }
    await fails('host_silent');
    expect(await queue('operations')).toMatchObject({ state: 'failing' });
  });
});

describe('an operation in its queue', () => {
  const STEP_LISTS = [[], [STEPS.stop], [STEPS.stop, STEPS.size], [STEPS.write, STEPS.go_back]];

  it('offers to be canceled exactly when it can be', async () => {
    const { db } = test.server.services;
    const host = await insertHost(db);
    const team = await db.selectFrom('teams').selectAll().limit(1).executeTakeFirstOrThrow();
    const app = await insertApp(db, { team_id: team.id, host, name: 'cancelable' });
    const { id } = await insertOperation(db, await insertCvm(db, { ...app, host }));
    const path = { id: `operation-${id}` };
    const cases = (Object.keys(transitions) as OperationType[]).flatMap((type) =>
      (['queued', 'running'] as const).flatMap((state) =>
        STEP_LISTS.flatMap((names) =>
          ['running', 'stopped'].flatMap((status) =>
            [null, 'rol_1'].map((rollout_id) => ({ type, state, names, previous: { status }, rollout_id })),
          ),
        ),
      ),
    );
    const differing: unknown[] = [];
    let possible = 0;
    for (const { type, state, names, previous, rollout_id } of cases) {
      const steps = names.map((name) => ({ name }));
      const payload = JSON.stringify({ previous, ...(rollout_id === null ? {} : { rollout_id }) });
      await db
        .updateTable('operations')
        .set({ type, state, steps: JSON.stringify(steps), payload })
        .where('id', '=', id)
        .execute();
      const facts = { type, state, steps, previous, rollout_id, cancel_requested_at: null };
      const can = cancelling(facts).possible;
      const { rows } = await adminQueueJob.select.execute(db);
      if (rows.find((row) => row.id === path.id)?.can_cancel !== can) differing.push(facts);
      possible += can ? 1 : 0;
    }
    expect(differing).toEqual([]);
    expect(possible).toBeGreaterThan(10);
    await db
      .updateTable('operations')
      .set({ cancel_requested_at: new Date() })
      .where('id', '=', id)
      .execute();
    expect((await test.admin.call('getAdminQueueJob', { path })).body).toMatchObject({ can_cancel: false });
  });
});

describe('processes and schedules', () => {
  it('are listed from their records', async () => {
    const { db } = test.server.services;
    const workers = (await test.admin.call('listAdminWorkers')).body as AdminWorker[];
    expect(workers).toMatchObject([{ role: 'web', state: 'alive', pid: process.pid, holds: 0, teepods: 0 }]);
    await db
      .updateTable('workers')
      .set({ seen_at: new Date(Date.now() - 60_000) })
      .execute();
    const [one] = workers;
    expect((await test.admin.call('getAdminWorker', { path: { id: one?.id ?? '' } })).body).toMatchObject({
      state: 'silent',
    });
    const runs = createScheduleRuns(db, 'worker-1');
    const began = Date.now();
    const every_ms = 3_600_000;
    const scope = 'installation';
    const mail = { id: 'mail', name: 'Mail', every_ms, scope, duration_ms: 5 } as const;
    runs.ran({ ...mail, error: null });
    runs.ran({ ...mail, error: 'no such table' });
    await runs.flush();
    runs.ran({ ...mail, error: null });
    runs.cutShort('mail', 7);
    await runs.flush();
    const read = await test.admin.call('getAdminSchedule', { path: { id: 'mail' } });
    expect(read.body).toMatchObject({
      name: 'Mail',
      every_seconds: 3_600,
      runs: 3,
      failures: 1,
      last_error: null,
      last_failed_at: expect.any(String),
      cut_short: 1,
      last_cut_at: expect.any(String),
      left_over: 7,
      duration_ms: 5,
    });
    const { last_run_at, next_run_at } = read.body as AdminSchedule;
    expect(Math.abs(Date.parse(last_run_at ?? '') - began)).toBeLessThan(10_000);
    const between = Date.parse(next_run_at ?? '') - Date.parse(last_run_at ?? '');
    expect(Math.abs(between - every_ms)).toBeLessThan(5);
    expect((await test.admin.call('listAdminSchedules')).body).toHaveLength(1);
    const metrics = await (await fetch(`${test.server.address}/metrics`)).text();
    expect(metrics).toContain('teehouse_runs_cut_short_total{task="mail"} 1');
  });

  it.each([-600_000, 600_000])(
    'are recorded by the database’s clock if a worker’s differs by %i ms',
    async (ms) => {
      const { db } = test.server.services;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
      try {
        const runs = createScheduleRuns(db, `skewed-${ms}`);
        const task = { id: `skewed-${ms}`, name: 'Skewed', every_ms: 60_000, scope: 'process' } as const;
        runs.ran({ ...task, duration_ms: 2_000, error: 'no such table' });
        runs.cutShort(task.id, 1);
        runs.ran({ ...task, duration_ms: 2_000, error: 'no such table' });
        await runs.flush();
      } finally {
        vi.useRealTimers();
      }
      const { rows } = await sql<Record<'ran' | 'next' | 'failed' | 'cut', number>>`
      select extract(epoch from now() - last_run_at)::float8 as ran, extract(epoch from next_run_at - now())::float8 as next,
        extract(epoch from now() - last_failed_at)::float8 as failed, extract(epoch from now() - last_cut_at)::float8 as cut
      from schedule_runs where id = ${`skewed-${ms}`}`.execute(db);
      const [ages] = rows;
      expect(ages!.ran).toBeGreaterThanOrEqual(2);
      for (const age of [ages!.ran, ages!.failed, ages!.cut]) expect(Math.abs(age)).toBeLessThan(30);
      expect(Math.abs(ages!.next - 58)).toBeLessThan(30);
      // A failure that seemed old would raise no alert.
      expect((await troublesOf(db)).map(({ subject }) => subject)).toContain(`schedule:skewed-${ms}`);
      await db.deleteFrom('schedule_runs').where('id', '=', `skewed-${ms}`).execute();
    },
  );

  it('fail as long as one of the live workers fails', async () => {
    const { db } = test.server.services;
    const worker = { hostname: 'rack', pid: 1, role: 'worker', version: '1' };
    await db
      .insertInto('workers')
      .values({ ...worker, id: 'failing' })
      .execute();
    const [failing, other] = [createScheduleRuns(db, 'failing'), createScheduleRuns(db, 'other')];
    const isFailing = async (runs: typeof other, error: string | null, scope: PeriodicScope = 'shard') => {
      runs.ran({ id: scope, name: 'Task', every_ms: 1_000, scope, duration_ms: 1, error });
      await runs.flush();
      return (await troublesOf(db)).some(({ subject }) => subject === `schedule:${scope}`);
    };
    expect(await isFailing(failing, 'connect ECONNREFUSED')).toBe(true);
    expect(await isFailing(other, null)).toBe(true);
    expect(await isFailing(failing, null)).toBe(false);
    // Only one worker at a time runs this one.
    expect(await isFailing(failing, 'connect ECONNREFUSED', 'installation')).toBe(true);
    expect(await isFailing(other, null, 'installation')).toBe(false);
    expect(await isFailing(failing, 'connect ECONNREFUSED')).toBe(true);
    await db.deleteFrom('workers').where('id', '=', 'failing').execute();
    expect(await isFailing(other, null)).toBe(false);
  });
});

describe('alerts', () => {
  it('have the severity of their current condition, and stay acknowledged when it improves', async () => {
    const { db, config } = test.server.services;
    const alert = async (free: number) => {
      const spaceOf = async () => ({ id: 'alder', free, gigabytes: 1 });
      await watchAlerts({ db, dataDir: config.dataDir, spaceOf });
      return db
        .selectFrom('alerts')
        .select(['severity', 'acknowledged_by'])
        .where('subject', '=', 'disk:alder')
        .executeTakeFirst();
    };
    expect(await alert(0.02)).toEqual({ severity: 'critical', acknowledged_by: null });
    await db.updateTable('alerts').set({ acknowledged_at: new Date(), acknowledged_by: 'Ada' }).execute();
    expect(await alert(0.05)).toEqual({ severity: 'warning', acknowledged_by: 'Ada' });
    expect(await alert(0.02)).toEqual({ severity: 'critical', acknowledged_by: null });
  });
});
