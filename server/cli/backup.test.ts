import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepEventPartitions } from '../db/activity/eventPartitions';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { commandLine } from '../testing/commandLine';

let dir: string;
let from: TestDatabase;
const open: TestDatabase[] = [];
const database = async () => {
  const made = await createTestDatabase();
  open.push(made);
  return made;
};
const on = ({ url }: TestDatabase) => commandLine({ DATABASE_URL: url, DATA_DIR: dir });
const file = (name: string) => path.join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-backup-');
  from = await database();
  await from.pool.query(AWKWARD);
});
afterAll(async () => {
  for (const one of open) await one.drop();
  await rm(dir, { recursive: true, force: true });
});

/** Values that a dump through JavaScript, JSON or lines could corrupt. */
const AWKWARD = `
  insert into users (public_id, email, username, password_hash, created_at) values
    ('usr_1', 'a@example.test', E'Zoë \u2028 "quoted" \\\\ back\\nline\\r\\t 🚤', '$argon2id$x', '2026-01-02 03:04:05.123456+00'),
    ('usr_2', 'b@example.test', '', null, '1970-01-01 00:00:00+00'),
    ('usr_3', 'gone@example.test', 'gone', null, now());
  delete from users where public_id = 'usr_3';
  insert into teams (public_id, slug, name, wallet_address) values ('wks_1', 'one', 'One', '0x00');
  insert into memberships (team_id, user_id, role, is_default) select t.id, u.id, 'owner', true from teams t, users u where u.public_id = 'usr_1';
  insert into sessions (public_id, token_hash, user_id, expires_at) select 'ses_1', decode('00ff5c0a22', 'hex'), id, now() from users where public_id = 'usr_1';
  insert into api_tokens (public_id, team_id, user_id, name, token_hash, token_prefix, scopes)
    select 'tok_1', t.id, u.id, 'x', '\\x01', 'thk', array['a"b', 'c,d', '{e}', '', 'f\\g'] from teams t, users u where u.public_id = 'usr_1';
  insert into idempotency_keys (scope, key, operation_id, request_hash, status, response)
    values ('s', 'k', 'o', '\\x', 200, '{"big": 12345678901234567890.5, "nested": [null, {"u": "\\u00e9"}]}');
  insert into nodes (name) values ('n');
  insert into teepods (node_id, name, url, max_cvms, max_vcpu, max_memory_mb, max_disk_gb, warnings)
    select id, 'p', 'unix:/x', 1, 1, 1, 1, '{}' from nodes;
  insert into apps (public_id, app_id, team_id, name) select 'prj_1', repeat('a', 40), id, 'app' from teams;
  insert into revisions (public_id, app_id, number, app_compose, compose_hash, docker_compose_file, operation_type)
    select 'rev_1', id, 1, repeat('services: {}\n', 20000), 'h', '', 'deploy' from apps;
  insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, name, status, vcpu, memory_mb, disk_gb,
      hourly_rate_micros, os_image, public_logs, public_sysinfo, public_tcbinfo)
    select 'cvm_1', '6f1d0b7e-0000-4000-8000-000000000001', t.id, a.id, r.id, p.id, 'web', 'running', 1, 1, 1,
      9007199254740991, 'i', true, false, true from teams t, apps a, revisions r, teepods p;
  insert into events (team_id, kind, message) select t.id, 'k', 'event ' || n from teams t, generate_series(1, 3000) n;
  insert into audit_log (at, actor_kind, actor_user_id, team_id, action, before)
    select '2026-01-02 03:04:05.123456+00', 'user', u.id, t.id, 'team.create', '{"n": 12345678901234567890.50, "s": "\\u00e9 \u2028 🚤"}'
    from teams t, users u where u.public_id = 'usr_1';
  update instance_types set hourly_rate_micros = 123456 where id = 'tdx.small';
`;

const hidden = new Set(['audit_log', 'audit_heads', 'kysely_migration', 'kysely_migration_lock']);

/** Returns a digest of each table's rows, in any order. */
async function digests(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !hidden.has(table.name))) {
    const { rows } = await pool.query<{ digest: string }>(
      `select count(*) || ':' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from "${name}" t`,
    );
    found[name] = rows[0]!.digest;
  }
  return found;
}

describe('backup and restore', () => {
  it('preserve every row byte for byte, with working counters and triggers', async () => {
    const made = await on(from)(['backup', '--to', file('a.gz')]);
    expect(made.code, made.err.join('\n')).toBe(0);
    expect((await stat(file('a.gz'))).mode & 0o777).toBe(0o600);

    const into = await database();
    const run = await on(into)(['restore', '--from', file('a.gz')]);
    expect(run.err).toEqual([]);
    expect(run.code).toBe(0);
    expect(await digests(into.pool)).toEqual(await digests(from.pool));

    // Plans are good from the first query: autovacuum would leave tables this small without statistics.
    const { rows: known } = await into.pool.query(
      `select distinct tablename from pg_stats where tablename in ('cvms', 'events', 'users') order by 1`,
    );
    expect(known).toEqual([{ tablename: 'cvms' }, { tablename: 'events' }, { tablename: 'users' }]);

    const { rows: users } = await into.pool.query<{ id: number }>(
      `insert into users (public_id, email, username) values ('usr_4', 'd@example.test', 'd') returning id`,
    );
    expect(users[0]!.id).toBe(4); // User 3 was deleted.
    await into.pool.query(`update cvms set status = 'stopped'`);
    const { rows: changes } = await into.pool.query('select status from cvm_state_changes order by id');
    expect(changes).toEqual([{ status: 'running' }, { status: 'stopped' }]);
    const { rows: audits } = await into.pool.query(
      `select actor_kind from audit_log where action = 'database.restore'`,
    );
    expect(audits).toEqual([{ actor_kind: 'cli' }]);
    expect(await on(into)(['verify'])).toMatchObject({
      code: 0,
      out: [/^platform: 1 entry/, /^wks_1 \(one\): 1 entry/].map((line) => expect.stringMatching(line)),
    });
  });

  it('are consistent during concurrent writes', async () => {
    let writing = true;
    const writer = (async () => {
      for (let i = 0; writing; i++) {
        // Inserts a team and its event in one transaction.
        await from.pool.query(
          `with t as (insert into teams (public_id, slug, name, wallet_address) values ('wks_w${i}', 'w${i}', 'w', '0x') returning id)
           insert into events (team_id, kind, message) select id, 'made', '' from t`,
        );
      }
    })();
    const run = await on(from)(['backup', '--to', file('busy.gz')]);
    writing = false;
    await writer;
    expect(run.code).toBe(0);
    const into = await database();
    expect((await on(into)(['restore', '--from', file('busy.gz')])).code).toBe(0);
    const { rows } = await into.pool.query<{ teams: number; events: number }>(
      `select (select count(*)::int from teams where slug like 'w%') as teams, (select count(*)::int from events where kind = 'made') as events`,
    );
    expect(rows[0]!.events).toBe(rows[0]!.teams);
  });

  it('contain a partitioned table’s events once, whichever table they are restored into', async () => {
    const divided = await database();
    await divided.pool.query(
      `insert into teams (public_id, slug, name, wallet_address) values ('wks_1', 'one', 'one', '0x')`,
    );
    await divided.pool.query(
      `insert into events (team_id, kind, message) select t.id, 'k', 'event ' || n from teams t, generate_series(1, 300) n`,
    );
    expect(await keepEventPartitions(divided.db, 100)).toBe('divided');
    expect((await on(divided)(['backup', '--to', file('divided.gz')])).code).toBe(0);
    const into = await database();
    expect((await on(into)(['restore', '--from', file('divided.gz')])).code).toBe(0);
    const eventsOf = async ({ pool }: { pool: pg.Pool }) =>
      (await pool.query('select * from events order by id')).rows as unknown[];
    expect(await eventsOf(into)).toHaveLength(300);
    expect(await eventsOf(into)).toEqual(await eventsOf(divided));
    const { rows } = await into.pool.query<{ id: number }>(
      `insert into events (team_id, kind, message) select id, 'k', '' from teams returning id`,
    );
    expect(rows).toEqual([{ id: 301 }]);
  });

  it('keep rows that refer to later rows of their table, as after an update of the earlier one', async () => {
    const used = await database();
    // Only the order in which PostgreSQL returns the rows matters: invoices become paid after their credit notes.
    await used.pool.query(`
      insert into teams (public_id, slug, name, wallet_address) values ('wks_1', 'one', 'one', '0x');
      insert into invoices (public_id, team_id, kind, period_start, period_end, subtotal_micros, subtotal_cents, total_cents,
          corrects, created_at)
        select 'inv_' || n, t.id, case n when 1 then 'credit_note' else 'invoice' end, at, at + interval '1 month', 0, 0, 0,
          case n when 1 then 601 end, at
        from teams t, generate_series(1, 601) n, lateral (select date '2000-01-01' + make_interval(months => n) as at) month`);
    expect((await on(used)(['backup', '--to', file('order.gz')])).code).toBe(0);
    const into = await database();
    const run = await on(into)(['restore', '--from', file('order.gz')]);
    expect(run, run.err.join('\n')).toMatchObject({ code: 0 });
    expect((await digests(into.pool)).invoices).toBe((await digests(used.pool)).invoices);
    // The reference is checked again.
    await expect(into.pool.query('update invoices set corrects = 9999 where id = 1')).rejects.toThrow(
      /violates foreign key/,
    );
  });

  it('continue the order of notifications', async () => {
    const used = await database();
    const notify = (n: number) => `
      insert into notifications (public_id, team_id, user_id, kind, subject, severity, title, message)
      select 'ntf_' || ${n}, team_id, user_id, 'k', ${n}, 'info', '', '' from memberships returning position`;
    await used.pool.query(`
      insert into users (public_id, email, username) values ('usr_1', 'a@example.test', 'a');
      insert into teams (public_id, slug, name, wallet_address) values ('wks_1', 'one', 'One', '0x00');
      insert into memberships (team_id, user_id, role, is_default) select t.id, u.id, 'owner', true from teams t, users u;
      select setval('notification_positions', 40), setval('usdc_children', 0)`);
    await used.pool.query(notify(1));
    expect((await on(used)(['backup', '--to', file('order-of.gz')])).code).toBe(0);
    const whole = gunzipSync(await readFile(file('order-of.gz'))).toString();
    await writeFile(file('without.gz'), gzipSync(whole.replace(/,"sequences":\{[^}]*\}/, '')));
    for (const [name, child] of [
      ['order-of.gz', 1],
      ['without.gz', 0],
    ] as const) {
      const into = await database();
      const run = await on(into)(['restore', '--from', file(name)]);
      expect(run, run.err.join('\n')).toMatchObject({ code: 0 });
      expect((await into.pool.query(notify(2))).rows).toEqual([{ position: 42 }]);
      expect((await into.pool.query(`select nextval('usdc_children') as child`)).rows).toEqual([{ child }]);
    }
  });

  it('leave out leases, which a server that has run leaves behind', async () => {
    const lease = (name: string) =>
      `insert into periodic_leases (name, lease_owner, lease_until) values ('${name}', 'host-1-abc', now())`;
    const used = await database();
    await used.pool.query(lease('of the backup'));
    expect((await on(used)(['backup', '--to', file('used.gz')])).code).toBe(0);
    const into = await database();
    await into.pool.query(lease('of a first start'));
    expect(await on(into)(['restore', '--from', file('used.gz')])).toMatchObject({ code: 0, err: [] });
    const { rows } = await into.pool.query('select name from periodic_leases');
    expect(rows).toEqual([{ name: 'of a first start' }]);
  });

  it('leave no file when a signal interrupts them, even while they wait for a lock', async () => {
    const others = process.listeners('SIGTERM');
    const interrupt = () => {
      for (const listener of process.listeners('SIGTERM'))
        if (!others.includes(listener)) listener('SIGTERM');
    };
    const drafts = async () => (await readdir(dir)).filter((name) => name.startsWith('cut.gz'));
    const lock = await from.pool.connect();
    try {
      await lock.query('begin; lock table cvms in access exclusive mode');
      const running = on(from)(['backup', '--to', file('cut.gz')]);
      await expect.poll(drafts).toHaveLength(1);
      interrupt();
      expect(await running).toMatchObject({ code: 1, err: ['Interrupted. No backup was created.'] });
      expect(await drafts()).toEqual([]);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    expect(process.listeners('SIGTERM')).toEqual(others);
  });

  it('refuse a database without tables, and a newer one', async () => {
    const other = await database();
    await other.pool.query(
      `insert into kysely_migration (name, timestamp) values ('9999_tomorrow', '2030-01-01')`,
    );
    const refused = async () => (await on(other)(['backup', '--to', file('other-db.gz')])).err.join('\n');
    expect(await refused()).toContain('created by a newer version of Teehouse (it has 9999_tomorrow)');
    await other.pool.query('drop schema public cascade; create schema public');
    expect(await refused()).toContain('there is nothing to back up');
  });

  it('refuse to overwrite a non-empty database', async () => {
    const before = await digests(from.pool);
    const run = await on(from)(['restore', '--from', file('a.gz')]);
    expect(run.code).toBe(1);
    expect(run.err.join('\n')).toContain('not empty');
    expect(await digests(from.pool)).toEqual(before);
  });

  it('refuse to overwrite a file and delete incomplete ones', async () => {
    await writeFile(file('taken'), 'precious');
    expect((await on(from)(['backup', '--to', file('taken')])).code).toBe(1);
    expect(await readFile(file('taken'), 'utf8')).toBe('precious');
    expect((await on(from)(['backup', '--to', file('no/such/folder/b.gz')])).code).toBe(1);
    expect((await on(from)(['backup'])).code).toBe(2);
  });

  it('change nothing when the file is truncated, damaged, newer or not a backup', async () => {
    const whole = gunzipSync(await readFile(file('a.gz'))).toString();
    const lines = whole.trimEnd().split('\n');
    await writeFile(file('cut.gz'), await readFile(file('a.gz')));
    await truncate(file('cut.gz'), 3000);
    await writeFile(file('no-end.gz'), gzipSync(`${lines.slice(0, -1).join('\n')}\n`));
    const row = lines.findIndex((line) => line.startsWith('R') && line.includes('event 7"'));
    await writeFile(file('row-less.gz'), gzipSync(`${lines.toSpliced(row, 1).join('\n')}\n`));
    await writeFile(file('newer.gz'), gzipSync(whole.replace('"0001_', '"9999_future","0001_')));
    await writeFile(file('refused.gz'), gzipSync(whole.replace('"email":"a@example.test"', '"email":null')));
    await writeFile(file('text'), 'hello');
    await writeFile(file('other.gz'), gzipSync('hello\n'));
    const into = await database();
    const before = await digests(into.pool);
    for (const [name, text] of [
      ['cut.gz', 'damaged'],
      ['no-end.gz', 'incomplete'],
      ['row-less.gz', 'incomplete'],
      ['newer.gz', 'newer'],
      ['refused.gz', 'rejected rows of users'],
      ['text', "isn't a Teehouse backup"],
      ['other.gz', "isn't a Teehouse backup"],
      ['missing.gz', 'does not exist'],
    ] as const) {
      const run = await on(into)(['restore', '--from', file(name)]);
      expect(run.code, name).toBe(1);
      expect(run.err.join('\n'), name).toContain(text);
      expect(await digests(into.pool), name).toEqual(before);
    }
  });

  it('report a different installation secret', async () => {
    const into = await database();
    const run = await commandLine({ DATABASE_URL: into.url, DATA_DIR: dir, TEEHOUSE_SECRET: 's'.repeat(40) })(
      ['restore', '--from', file('a.gz')],
    );
    expect(run.code).toBe(0);
    expect(run.err.join('\n')).toContain('TEEHOUSE_SECRET');
    expect(run.err.join('\n')).not.toContain('sssss');
  });
});
