import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../generated/api/types.gen';
import { appendAudit } from '../../db/audit/auditLog';
import { identityOf, insertApp, insertHost, insertToken } from '../../testing/cvmFixtures';
import { commandLine } from '../../testing/commandLine';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let owner: TestClient;
let member: TestClient;
let stranger: TestClient;
let slug: string;
let who: { team_id: number; user_id: number };
let token: string;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-audit-');
  server = await startTestServer();
  owner = await server.register('ann@example.test');
  member = await server.register('ben@example.test');
  stranger = await server.register('eve@example.test');
  slug = owner.slug ?? '';
  const { db } = server.services;
  who = await identityOf(db, 'ann@example.test');
  const { user_id } = await identityOf(db, 'ben@example.test');
  await db
    .insertInto('memberships')
    .values({ team_id: who.team_id, user_id, role: 'member', is_default: false })
    .execute();
  token = await insertToken(db, who, ['audit:read']);
  for (let n = 1; n <= 30; n++)
    await appendAudit(db, [
      {
        actor_kind: n % 3 === 0 ? 'token' : 'user',
        actor_user_id: n % 2 === 0 ? who.user_id : user_id,
        token_id: n % 3 === 0 ? await tokenId() : null,
        team_id: who.team_id,
        action: n % 5 === 0 ? 'cvm.delete' : 'cvmx.other',
        target_kind: 'cvm',
        target_id: `cvm_${n}`,
        before: { name: `web-${n}%`, status: 'running' },
        ip: '8.8.8.8',
        user_agent: 'curl/8.1',
        request_id: `req_${n}`,
      },
    ]);
});
afterAll(async () => {
  await server?.stop();
  await rm(dir, { recursive: true, force: true });
});

const tokenId = async () =>
  (await server.services.db.selectFrom('api_tokens').select('id').limit(1).executeTakeFirstOrThrow()).id;

async function list(query: Record<string, unknown> = {}, client = owner): Promise<AuditEntry[]> {
  const reply = await client.call('listAuditEntries', { path: { slug }, query: { limit: 100, ...query } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
}

/** Returns heap bytes in use after a garbage collection, since uncollected garbage varies by machine. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('listAuditEntries', () => {
  it('lists actor, action, target and origin, newest first', async () => {
    const [entry, ...rest] = await list({ target: 'cvm_30' });
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      action: 'cvm.delete',
      actor: { kind: 'token', id: expect.stringMatching(/^usr_/), username: 'ann' },
      token: {
        id: expect.stringMatching(/^tok_/),
        name: 'test',
        prefix: expect.stringContaining(token.slice(0, 12)),
      },
      target: { kind: 'cvm', id: 'cvm_30' },
      before: { name: 'web-30%', status: 'running' },
      after: null,
      ip: '8.8.8.8',
      place: 'United States',
      device: 'curl 8.1',
      request_id: 'req_30',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const all = await list();
    expect(all.map(({ seq }) => seq)).toEqual(Array.from(all, (_, i) => all.length - i));
    // A team's first entry is its creation.
    expect(all.at(-1)).toMatchObject({ seq: 1, actor: { username: 'ann' } });
  });

  it("records a change made through the API with the caller's address and device", async () => {
    const made = await owner.with({ 'user-agent': 'phala-cli/1.1.18' }).call('createWorkspace', {
      body: { name: 'Second' },
    });
    expect(made.status).toBe(201);
    const second = (made.body as { slug: string }).slug;
    const reply = await owner.call('listAuditEntries', { path: { slug: second } });
    expect(reply.body.data).toMatchObject([
      { seq: 1, action: 'team.create', device: 'phala CLI 1.1.18', place: 'This network', token: null },
    ]);
  });

  it('filters by actor, action or its prefix, target, time and text', async () => {
    const all = await list();
    const ben = all.find(({ actor }) => actor.username === 'ben')?.actor.id ?? '';
    expect(new Set((await list({ actor: ben })).map(({ actor }) => actor.username))).toEqual(
      new Set(['ben']),
    );
    expect((await list({ actor: ben })).length).toBe(15);
    expect((await list({ action: 'cvm.delete' })).length).toBe(6);
    // Matches a name's first segment, not part of a word.
    expect((await list({ action: 'cvm' })).length).toBe(6);
    expect(await list({ action: 'cv' })).toEqual([]);
    expect(await list({ target: 'cvm_3' })).toHaveLength(1);
    expect(await list({ q: 'WEB-7%' })).toHaveLength(1);
    expect(await list({ q: '%' })).toHaveLength(30);
    expect(await list({ q: 'w_b' })).toEqual([]);
    expect((await list({ q: 'ben' })).length).toBe(15);
    const middle = all[15]!;
    const older = await list({ to: middle.at });
    const newer = await list({ from: middle.at });
    expect(older.every(({ at }) => at < middle.at)).toBe(true);
    expect(newer.map(({ id }) => id)).toContain(middle.id);
    expect(older.length + newer.length).toBe(all.length);
    expect(await list({ from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toHaveLength(all.length);
    expect(await list({ actor: ben, action: 'cvm', q: 'web-25' })).toHaveLength(1);
  });

  it('keeps pages stable while entries are added', async () => {
    const all = await list({ action: 'cvmx' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const reply: Awaited<ReturnType<typeof owner.call<'listAuditEntries'>>> = await owner.call(
        'listAuditEntries',
        { path: { slug }, query: { limit: 7, action: 'cvmx', ...(cursor ? { cursor } : {}) } },
      );
      seen.push(...reply.body.data.map(({ id }) => id));
      cursor = reply.body.pagination.next_cursor;
      await appendAudit(server.services.db, [
        { actor_kind: 'system', action: 'cvmx.other', team_id: who.team_id },
      ]);
    } while (cursor);
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  it('rejects invalid cursors, times and limits', async () => {
    for (const query of [{ cursor: 'x' }, { from: 'yesterday' }, { limit: 101 }])
      expect((await owner.call('listAuditEntries', { path: { slug }, query })).status).toBe(422);
  });

  it('asks for narrower filters when a query takes too long', async () => {
    const answer = await server.services.db.transaction().execute(async (trx) => {
      // Blocks every query of the log until it times out.
      await sql`lock table audit_log in access exclusive mode`.execute(trx);
      return owner.call('listAuditEntries', { path: { slug }, query: { q: 'rare' } });
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('Narrow the filters.');
  });

  it('is limited to admins, owners and tokens with audit:read', async () => {
    for (const id of ['listAuditEntries', 'exportAuditEntries'] as const) {
      const request = { path: { slug }, query: id === 'exportAuditEntries' ? { format: 'csv' } : {} };
      expect((await stranger.call(id, request)).status).toBe(404);
      expect((await member.call(id, request)).status).toBe(403);
      expect((await server.anonymous.call(id, request)).status).toBe(401);
      expect((await server.anonymous.with({ 'x-api-key': token }).call(id, request)).status).toBe(200);
      const other = await insertToken(server.services.db, who, ['cvms:*']);
      expect((await server.anonymous.with({ 'x-api-key': other }).call(id, request)).status).toBe(403);
    }
  });
});

describe('exportAuditEntries', () => {
  const get = (query: string) =>
    fetch(`${server.address}/api/v1/workspaces/${slug}/audit/export?${query}`, {
      headers: { 'x-api-key': token },
    });
  const teehouse = (argv: string[]) =>
    commandLine({ DATABASE_URL: server.database.url, DATA_DIR: dir })(argv);

  it('escapes formulas in CSV', async () => {
    await appendAudit(server.services.db, [
      {
        actor_kind: 'user',
        actor_user_id: who.user_id,
        team_id: who.team_id,
        action: 'thing.named',
        target_kind: 'thing',
        target_id: '=HYPERLINK("https://evil.test")',
        request_id: '+1',
      },
    ]);
    const reply = await get('format=csv&action=thing');
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="ann-audit-[\d-]+\.csv"$/,
    );
    const lines = (await reply.text()).split('\r\n');
    expect(lines[0]).toMatch(/^seq,at,action,actor,/);
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.test"")"`);
    expect(lines[1]).toContain(`"'+1"`);
    expect(lines).toHaveLength(3);
  });

  it('exports JSONL that verifies offline and detects every change', async () => {
    const reply = await get('format=jsonl');
    expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
    const text = await reply.text();
    const lines = text.trimEnd().split('\n');
    const file = path.join(dir, 'export.jsonl');
    await writeFile(file, text);
    expect(await teehouse(['verify', '--file', file])).toMatchObject({
      code: 0,
      out: [expect.stringMatching(new RegExp(`^wks_\\w+: ${lines.length} entries, last [0-9a-f]{64}$`))],
    });
    // The last entry records the export itself.
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      action: 'audit.export',
      actor: { kind: 'token', username: 'ann' },
      after: { format: 'jsonl' },
    });

    const verifyTampered = async (change: (lines: string[]) => string[], ...args: string[]) => {
      await writeFile(file, `${change([...lines]).join('\n')}\n`);
      return (await teehouse(['verify', '--file', file, ...args])).out.join();
    };
    const edited = (line: string, change: (entry: Record<string, unknown>) => void) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      change(entry);
      return JSON.stringify(entry);
    };
    const at = (n: number, change: (entry: Record<string, unknown>) => void) => (all: string[]) =>
      all.map((line, i) => (i === n - 1 ? edited(line, change) : line));
    expect(await verifyTampered(at(5, (entry) => (entry.action = 'nothing')))).toContain(
      'BROKEN at entry 5, changed',
    );
    expect(await verifyTampered(at(5, (entry) => (entry.ip = '1.1.1.1')))).toContain(
      'BROKEN at entry 5, changed',
    );
    expect(
      await verifyTampered(at(5, (entry) => (entry.record = String(entry.record).replace('cvm', 'app')))),
    ).toContain('BROKEN at entry 5, changed');
    expect(await verifyTampered((all) => all.toSpliced(4, 1))).toContain('BROKEN at entry 5, missing');
    expect(await verifyTampered((all) => all.toSpliced(4, 1), '--filtered')).not.toContain('BROKEN');
    expect(
      await verifyTampered((all) => [...all.slice(0, 4), ...all.slice(5, 6), ...all.slice(4, 5)]),
    ).toContain('BROKEN');
  });

  it('exports only the filtered entries', async () => {
    const text = await (await get('format=jsonl&action=cvm.delete')).text();
    const file = path.join(dir, 'filtered.jsonl');
    await writeFile(file, text);
    expect(text.trimEnd().split('\n')).toHaveLength(6);
    expect((await teehouse(['verify', '--file', file])).code).toBe(1);
    expect((await teehouse(['verify', '--file', file, '--filtered'])).code).toBe(0);
  });

  it('streams 20,000 entries without holding them in memory', async () => {
    const { pool } = server.database;
    for (let done = 0; done < 20_000; done += 500)
      await pool.query(
        `insert into audit_log (actor_kind, actor_user_id, team_id, action, target_kind, target_id, after)
         select 'user', $1, $2, 'bulk.change', 'thing', 't' || n, jsonb_build_object('text', repeat('x', 2000))
         from generate_series(1, 500) n`,
        [who.user_id, who.team_id],
      );
    const before = liveBytes();
    let peak = 0;
    let bytes = 0;
    let measuredAt = 0;
    let rest = '';
    let entries = 0;
    const reply = await get('format=jsonl&action=bulk');
    for await (const chunk of reply.body!) {
      bytes += chunk.length;
      rest += Buffer.from(chunk).toString('latin1');
      entries += rest.split('\n').length - 1;
      rest = rest.slice(rest.lastIndexOf('\n') + 1);
      if (bytes - measuredAt < 8_000_000) continue;
      measuredAt = bytes;
      peak = Math.max(peak, liveBytes() - before);
    }
    expect(entries).toBe(20_000);
    expect(bytes).toBeGreaterThan(80_000_000);
    // Server and reader share this process.
    expect(peak).toBeLessThan(30_000_000);
    expect(await teehouse(['verify'])).toMatchObject({ code: 0 });
  });
});

describe('teehouse verify', () => {
  const teehouse = (argv: string[]) =>
    commandLine({ DATABASE_URL: server.database.url, DATA_DIR: dir })(argv);

  it('verifies every chain on a running server, and names the first broken entry with exit code 1', async () => {
    const good = await teehouse(['verify']);
    expect(good.code).toBe(0);
    expect(good.out).toContainEqual(
      expect.stringMatching(/^wks_\w+ \(ann\): \d+ entries, last [0-9a-f]{64}$/),
    );
    expect(good.out[0]).toMatch(/^platform: \d+ entr/);
    const file = path.join(dir, 'earlier.txt');
    await writeFile(file, good.out.join('\n'));
    expect((await teehouse(['verify', '--since', file])).code).toBe(0);

    await server.database.pool.query(
      `set session_replication_role = replica;
       update audit_log set ip = '9.9.9.9' where team_id = ${who.team_id} and seq in (7, 9);
       reset session_replication_role`,
    );
    const bad = await teehouse(['verify']);
    expect(bad.code).toBe(1);
    expect(bad.out.filter((line) => line.includes('BROKEN'))).toEqual([
      expect.stringMatching(/\(ann\): BROKEN at entry 7, changed/),
    ]);
  });

  it.each([[['--since', '/nowhere']], [['--file', '/nowhere']]])(
    '%j exits with code 1 and a reason',
    async (args) => {
      const run = await teehouse(['verify', ...args]);
      expect(run.code).toBe(1);
      expect(run.err.join()).toContain('/nowhere');
    },
  );
  it.each([[['--filtered']], [['--file', 'a', '--since', 'b']], [['x']]])(
    '%j exits with code 2 as invalid usage',
    async (args) => {
      expect((await teehouse(['verify', ...args])).code).toBe(2);
    },
  );
});

it('names the app of an entry that holds only its ID, and none of another team', async () => {
  const { db } = server.services;
  const host = await insertHost(db);
  const { app } = await insertApp(db, { ...who, host, name: 'named-app' });
  const other = await identityOf(db, 'eve@example.test');
  const { app: theirs } = await insertApp(db, { ...other, host, name: 'their-app' });
  for (const target_id of [app.app_id, theirs.app_id])
    await appendAudit(db, [
      {
        actor_kind: 'system',
        team_id: who.team_id,
        action: 'kms.boot.allow',
        target_kind: 'app',
        target_id,
        after: { allowed: true },
      },
    ]);
  const entries = await list({ action: 'kms.boot.allow' });
  expect(entries.map(({ target }) => target)).toEqual([
    { kind: 'app', id: theirs.app_id, name: null },
    { kind: 'app', id: app.app_id, name: 'named-app' },
  ]);
});
