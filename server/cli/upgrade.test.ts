import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../config';
import { migrate } from '../db/core/migrate';
import { migrations } from '../db/migrations';
import { createLogger } from '../log';
import { startServer } from '../main';
import { commandLine } from '../testing/commandLine';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { fingerprint } from '../testing/fingerprint';
import { VERSION } from '../root';
import { MIGRATION_FACTS } from './checks/migrationFacts';
import { readHeader } from './readBackup';
import { checkBackup, checkPostgres, checkProcesses, checkSpace, type DatabaseState } from './checks/upgrade';

const NEWEST = Object.keys(migrations).at(-1) ?? '';
let dir: string;
const open: TestDatabase[] = [];
beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-upgrade-');
});
afterAll(async () => {
  for (const database of open) await database.drop();
  await rm(dir, { recursive: true, force: true });
});

async function fresh(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  open.push(database);
  return database;
}
/** A database in its state before this migration. */
async function before(migration: string): Promise<TestDatabase> {
  const database = await fresh();
  await database.pool.query('drop schema public cascade');
  await database.pool.query('create schema public');
  const earlier = Object.entries(migrations).filter(([name]) => name < migration);
  await migrate(database.connection, Object.fromEntries(earlier));
  return database;
}
const upgrade = (database: TestDatabase, args: string[] = [], env: Record<string, string> = {}) =>
  commandLine({ DATABASE_URL: database.url, DATA_DIR: dir, TEEHOUSE_SECRET: 's'.repeat(40), ...env })([
    'upgrade',
    '--check',
    ...args,
  ]);
interface Report {
  version: string;
  can_upgrade: boolean;
  next: string;
  database: { newer_migrations: string[]; migrations_applied: number; last_backup_at: string | null } | null;
  pending: { name: string; about: string | null; older_processes: { effect: string } | null }[];
  processes: { hostname: string; version: string }[];
  findings: { level: string; what: string; text: string }[];
}
async function report(
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<Report & { code: number }> {
  const { code, out } = await upgrade(database, ['--json'], env);
  return { ...(JSON.parse(out.join('\n')) as Report), code };
}
/** The heartbeat row of an older version. */
const runProcess = ({ pool }: TestDatabase) =>
  pool.query(
    `insert into workers (id, hostname, pid, role, version) values ('m-1-x', 'alder', 1, 'worker', '0.0.9')`,
  );

describe('upgrade --check', () => {
  it('finds nothing to do for a current database, and changes nothing', async () => {
    const database = await fresh();
    await runProcess(database);
    const state = await fingerprint(database.db);
    const found = await report(database);
    expect(found, JSON.stringify(found.findings)).toMatchObject({
      code: 0,
      version: VERSION,
      can_upgrade: true,
      pending: [],
      next: 'Restart the processes with this version, one after the other.',
      database: { newer_migrations: [], migrations_applied: Object.keys(migrations).length },
      processes: [{ hostname: 'alder', version: '0.0.9' }],
    });
    expect(await fingerprint(database.db)).toBe(state);
  });

  it('reports what an older database needs, and that running processes may stay', async () => {
    const database = await before(NEWEST);
    await runProcess(database);
    const found = await report(database);
    expect(found).toMatchObject({ code: 0, can_upgrade: true });
    expect(found.pending.map(({ name }) => name)).toEqual([NEWEST]);
    expect(found.pending[0]?.about).toMatch(/\.$/);
    expect(found.next).toBe('teehouse backup --to FILE, then teehouse migrate');
    const { code, out } = await upgrade(database);
    expect(code).toBe(0);
    const text = out.join('\n');
    expect(text).toContain(NEWEST);
    expect(text).toContain('they can keep running alongside the new version');
    expect(text).toMatch(/^warn {2}backup .*none created/m);
    expect(text).toMatch(/^The upgrade can proceed\. Next: /m);
    const { rows } = await database.pool.query('select name from kysely_migration where name = $1', [NEWEST]);
    expect(rows).toEqual([]);
  });

  it('must wait for processes that would write wrong data alongside it', async () => {
    const database = await before('0170');
    await runProcess(database);
    const stopped = await report(database);
    expect(stopped).toMatchObject({ code: 1, can_upgrade: false });
    expect(stopped.next).toMatch(/^Stop all of them, web and worker, on all machines/);
    expect(stopped.findings.filter(({ level }) => level === 'fail').map(({ text }) => text)).toEqual([
      '1 running: alder (worker, 0.0.9)',
      expect.stringContaining('0170_metered_budgets'),
      expect.stringContaining('0195_receipt_keys'),
      expect.stringContaining('0200_ai_key_budgets'),
      expect.stringContaining('0203_renewal_reasons'),
    ]);
    // If killed, it counts as gone after half a minute.
    await database.pool.query(`update workers set seen_at = now() - interval '31 seconds'`);
    expect(await report(database)).toMatchObject({ code: 0, can_upgrade: true, processes: [] });
  });

  it('must wait if nothing is known about older processes', async () => {
    const database = await before('0153');
    await runProcess(database);
    const found = await report(database);
    expect(found.code).toBe(1);
    expect(found.findings.map(({ text }) => text)).toContain(
      "none may run alongside 0153_card_consent: This version doesn't know whether they can.",
    );
  });

  it('refuses a database newer than the program', async () => {
    const database = await fresh();
    await database.pool.query(
      `insert into kysely_migration (name, timestamp) values ('9999_tomorrow', '2030-01-01')`,
    );
    const { code, out } = await upgrade(database);
    expect(code).toBe(1);
    expect(out.join('\n')).toContain('the database is newer than this program: it has 9999_tomorrow');
    expect(out.at(-1)).toMatch(
      /^\n?The upgrade can't proceed\. Next: Install the version that created it, or a later one\./,
    );
    expect((await report(database)).database).toMatchObject({ newer_migrations: ['9999_tomorrow'] });
  });

  it('is refused by the server too, which leaves no connection open that would keep its process alive', async () => {
    const database = await fresh();
    await database.pool.query(
      `insert into kysely_migration (name, timestamp) values ('9999_tomorrow', '2030-01-01')`,
    );
    const config = loadConfig({ DATABASE_URL: database.url, DATA_DIR: dir, PORT: '0', LOCAL_TEEPOD: 'off' });
    await expect(startServer(config, createLogger('silent'))).rejects.toThrow(
      'created by a newer version of Teehouse',
    );
    const open = `select from pg_stat_activity where datname = current_database() and application_name = 'teehouse'`;
    await expect.poll(async () => (await database.pool.query(open)).rowCount).toBe(0);
  });

  it('describes an empty database', async () => {
    const database = await fresh();
    await database.pool.query('drop schema public cascade');
    await database.pool.query('create schema public');
    expect(await report(database)).toMatchObject({
      code: 0,
      processes: [],
      database: { migrations_applied: 0 },
    });
  });

  it('reports invalid, misspelled or unknown settings, and an unreachable database', async () => {
    const database = await fresh();
    const invalid = await report(database, { PORT: 'eighty' });
    expect(invalid).toMatchObject({ code: 1, database: null, next: expect.stringMatching(/^Set it to /) });
    const unknown = await report(database, { TEEHOUSE_ROLES: 'web' });
    expect(unknown.code).toBe(0);
    expect(unknown.findings).toContainEqual(
      expect.objectContaining({ level: 'warn', text: expect.stringContaining('TEEHOUSE_ROLES is set, but') }),
    );
    const away = await report(database, { DATABASE_URL: 'postgres://nobody:hunter22@127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 1, database: null, next: 'teehouse doctor' });
    expect(JSON.stringify(away)).not.toContain('hunter22');
  });

  it('needs --check, and prints no report without it', async () => {
    const { code, out } = await commandLine({ DATA_DIR: dir })(['upgrade']);
    expect([code, out]).toEqual([2, []]);
  });

  it('finds the last backup', async () => {
    const database = await fresh();
    const { code } = await commandLine({ DATABASE_URL: database.url, DATA_DIR: dir })([
      'backup',
      '--to',
      `${dir}/copy.gz`,
    ]);
    expect(code).toBe(0);
    expect((await report(database)).database?.last_backup_at).toMatch(/^\d{4}-/);
  });

  it('is up to the operator: other commands of this version migrate nothing', async () => {
    const database = await before(NEWEST);
    const verified = await commandLine({ DATABASE_URL: database.url, DATA_DIR: dir })(['verify']);
    expect(verified.code).toBe(1);
    expect(verified.err.join('\n')).toMatch(/earlier version.*`teehouse migrate`/);
    expect((await report(database)).pending).toMatchObject([{ name: NEWEST }]);
  });

  it('follows a backup that the old version can restore: making it migrates nothing', async () => {
    const database = await before(NEWEST);
    await runProcess(database);
    const file = `${dir}/before.gz`;
    const made = await commandLine({ DATABASE_URL: database.url, DATA_DIR: dir })(['backup', '--to', file]);
    expect(made.code, made.err.join('\n')).toBe(0);
    expect((await readHeader(file)).migrations.at(-1)).toBe(Object.keys(migrations).at(-2));
    expect(await report(database)).toMatchObject({
      pending: [{ name: NEWEST }],
      next: 'teehouse migrate, then restart the processes with this version, one after the other.',
    });
  });
});

describe('the checks', () => {
  const now = new Date('2026-11-27T12:00:00Z');
  const hours = (n: number) => new Date(now.getTime() - n * 3_600_000);
  const pending = [{ name: '0999_next', about: null, older_processes: null }];
  const state: DatabaseState = {
    postgres: '17.2',
    postgres_major: 17,
    applied: ['0001_foundation'],
    newer: [],
    pending,
    processes: [],
    last_backup_at: null,
    size_bytes: 20e9,
    largest_table_bytes: 5e9,
  };

  it('require a backup from the last day before migrations run', () => {
    const level = (last_backup_at: Date | null, more: Partial<DatabaseState> = {}) =>
      checkBackup({ ...state, last_backup_at, ...more }, now).level;
    expect([level(hours(23)), level(hours(25)), level(null)]).toEqual(['ok', 'warn', 'warn']);
    expect([level(hours(25), { pending: [] }), level(null, { pending: [] })]).toEqual(['ok', 'ok']);
  });

  it('require disk space for a copy of data a migration may rewrite', () => {
    const level = (free: number | null, more: Partial<DatabaseState> = {}) =>
      checkSpace({ ...state, ...more }, free).level;
    expect([level(4e9), level(10e9), level(30e9), level(null)]).toEqual(['fail', 'warn', 'ok', 'ok']);
    expect([level(4e9, { pending: [] }), level(0.1e9, { pending: [] })]).toEqual(['ok', 'fail']);
  });

  it('require PostgreSQL 15', () => {
    const level = (postgres_major: number) => checkPostgres({ ...state, postgres_major }).level;
    expect([level(14), level(15)]).toEqual(['fail', 'ok']);
  });

  it('warn until processes degraded by a migration are replaced', () => {
    const older_processes = { effect: 'degraded' as const, why: "They can't send mail." };
    const processes = [{ id: 'a', hostname: 'alder', role: 'web', version: '0.1.0' }];
    const found = checkProcesses({ ...state, processes, pending: [{ ...pending[0]!, older_processes }] });
    expect(found.map(({ level }) => level)).toEqual(['ok', 'warn']);
    expect(found[1]?.text).toContain("They can't send mail.");
  });
});

it('describe every migration since 0165', () => {
  const recent = Object.keys(migrations).filter((name) => name >= '0165');
  expect(recent.filter((name) => !Object.hasOwn(MIGRATION_FACTS, name))).toEqual([]);
  expect(Object.keys(MIGRATION_FACTS).filter((name) => !Object.hasOwn(migrations, name))).toEqual([]);
});
