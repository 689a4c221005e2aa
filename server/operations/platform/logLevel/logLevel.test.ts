import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOG_LEVEL_CHANNEL } from '../../../db/platform/logLevel';
import { loadConfig } from '../../../config';
import { createLogger } from '../../../log';
import { startServer, type RunningServer } from '../../../main';
import { commandLine, type CliRun } from '../../../testing/commandLine';
import { eventually } from '../../../testing/server';
import { startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

interface Process extends RunningServer {
  lines: string[];
}

let test: AdminTest;
let web: Process;
let worker: Process;

/** Another process of the installation, as on another machine, with its log output. */
async function startProcess(role: 'web' | 'worker'): Promise<Process> {
  const lines: string[] = [];
  const { database, dataDir } = test.server;
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    TEEHOUSE_ROLE: role,
    LOCAL_TEEPOD: 'off',
  });
  const log = createLogger(config.logLevel, { write: (line: string) => void lines.push(line) });
  return { ...(await startServer(config, log)), lines };
}

beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' }, () => undefined);
  [web, worker] = await Promise.all([startProcess('web'), startProcess('worker')]);
});
afterAll(async () => {
  await Promise.all([web?.stop(), worker?.stop()]);
  await test?.server.stop();
});

let probes = 0;
/** Returns whether the process logs debug lines now, such as for a request to a page that doesn't exist. */
async function logsDebug({ address, lines }: Process): Promise<boolean> {
  const get = async (path: string) => void (await (await fetch(`${address}${path}`)).text());
  const probe = `/probe-${++probes}`;
  await get(probe);
  // This request's line, also logged at info, comes after the probe's.
  const from = lines.length;
  await get('/api/v1/session');
  await eventually('the request after it is logged', async () =>
    lines.slice(from).some((line) => line.includes('"operation":"getSession"')),
  );
  return lines.some((line) => line.includes(`"path":"${probe}"`));
}
const follows = (process: Process, debug: boolean) =>
  eventually(
    `debug lines are ${debug ? 'written' : 'left out'}`,
    async () => (await logsDebug(process)) === debug,
  );

const set = (body: unknown, client = test.admin) => client.call('setAdminLogLevel', { body });
const read = async () => (await test.admin.call('getAdminLogLevel')).body;
const audits = () => test.audits('platform_settings', 'log_level');
const teehouse = (argv: string[]): Promise<CliRun> =>
  commandLine({ DATABASE_URL: test.server.database.url, DATA_DIR: test.server.dataDir })(argv);
/** Expires the current level. */
async function endSoon(): Promise<void> {
  const { db } = test.server.services;
  await sql`update platform_settings set log_level_until = now() + interval '1 second'`.execute(db);
  await sql`select pg_notify(${LOG_LEVEL_CHANNEL}, 'changed')`.execute(db);
}

describe('the log level', () => {
  it('is the configured one until an administrator changes it, in every process', async () => {
    expect(await read()).toEqual({ level: null, until: null, configured: 'fatal' });
    for (const process of [web, worker]) expect(await logsDebug(process)).toBe(false);

    const began = Date.now();
    const reply = await set({ level: 'debug' });
    expect(reply).toMatchObject({ status: 200, body: { level: 'debug', configured: 'fatal' } });
    const { until } = reply.body as { until: string };
    // An hour, unless the request sets another duration.
    expect(Math.round((Date.parse(until) - began) / 60_000)).toBe(60);
    await Promise.all([follows(web, true), follows(worker, true)]);
    expect(await read()).toEqual({ level: 'debug', until, configured: 'fatal' });
    expect(await audits()).toEqual([
      { action: 'log_level.set', before: null, after: { level: 'debug', until } },
    ]);
  });

  it('applies to a process that starts later', async () => {
    const late = await startProcess('web');
    try {
      await follows(late, true);
    } finally {
      await late.stop();
    }
  });

  it('returns to the configured one when it expires', async () => {
    await endSoon();
    await Promise.all([follows(web, false), follows(worker, false)]);
    expect(await read()).toMatchObject({ level: null, until: null });
    const changes = worker.lines.filter((line) => line.includes('log level changed'));
    expect(changes.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level_before: 'info', level_after: 'debug', minutes: 60 },
      { level_before: 'debug', level_after: 'info' },
    ]);
  });

  it('is reset on request, once', async () => {
    await set({ level: 'trace', minutes: 1440 });
    await follows(worker, true);
    expect(await test.admin.call('resetAdminLogLevel')).toMatchObject({ status: 200, body: { level: null } });
    await Promise.all([follows(web, false), follows(worker, false)]);
    const before = await audits();
    expect(before.at(-1)).toMatchObject({ action: 'log_level.reset', before: { level: 'trace' } });
    expect((await test.admin.call('resetAdminLogLevel')).status).toBe(200);
    expect(await audits()).toEqual(before);
  });

  it.each([
    { level: 'loud' },
    { level: 'silent' },
    { level: 'debug', minutes: 0 },
    { level: 'debug', minutes: 1441 },
    { level: 'debug', minutes: 1.5 },
    { level: 'debug', until: '2030-01-01T00:00:00Z' },
    {},
  ])('refuses %j and changes nothing', async (body) => {
    const before = await audits();
    expect((await set(body)).status).toBe(422);
    expect(await read()).toMatchObject({ level: null });
    expect(await audits()).toEqual(before);
  });

  it('is changed by administrators only; support and infra can read it', async () => {
    const { db } = test.server.services;
    for (const role of [null, 'support', 'finance', 'infra'] as const) {
      await db
        .updateTable('users')
        .set({ platform_role: role })
        .where('email', '=', test.member.email ?? '')
        .execute();
      expect((await set({ level: 'debug' }, test.member)).status).toBe(403);
      expect((await test.member.call('resetAdminLogLevel')).status).toBe(403);
      const mayRead = role === 'support' || role === 'infra';
      expect((await test.member.call('getAdminLogLevel')).status).toBe(mayRead ? 200 : 403);
    }
    expect((await set({ level: 'debug' }, test.server.anonymous)).status).toBe(401);
    expect(await read()).toMatchObject({ level: null });
  });
});

describe('teehouse log-level', () => {
  it('changes, shows and resets the level of the running processes', async () => {
    const changed = await teehouse(['log-level', 'set', 'debug', '--minutes', '5']);
    expect(changed).toMatchObject({
      code: 0,
      err: [],
      out: [expect.stringMatching(/^debug until \d{4}-.* UTC$/)],
    });
    await Promise.all([follows(web, true), follows(worker, true)]);
    expect((await teehouse(['log-level', 'show'])).out).toEqual(changed.out);
    expect(await teehouse(['log-level', 'reset'])).toMatchObject({
      code: 0,
      out: [expect.stringMatching(/^as configured/)],
    });
    await follows(worker, false);
    const entries = await test.server.services.db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('actor_kind', '=', 'cli')
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['log_level.set', 'log_level.reset']);
  });

  it.each([[[]], [['loud']], [['debug', '--minutes', '1441']], [['debug', '--minutes', 'x']]])(
    'set %j is a usage error',
    async (args) => {
      expect(await teehouse(['log-level', 'set', ...args])).toMatchObject({ code: 2, out: [] });
      expect(await read()).toMatchObject({ level: null });
    },
  );
});
