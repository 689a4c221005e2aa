import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminInvoice } from '../../../generated/api/types.gen';
import { draftInvoice } from '../../db/billing/invoices';
import { withTransaction } from '../../db/core/client';
import { closeUsage } from '../../jobs/billing/closeUsage';
import { startBooks } from '../../jobs/billing/testing/books';
import { ROOT } from '../../root';
import { identityOf } from '../../testing/cvmFixtures';
import { commandLine } from '../../testing/commandLine';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import { NOTE, ROW, secretCheck } from '../backupFormat';
import { proveSecret } from './proofs';

const SECRET = 'the secret of a small installation'.padEnd(40, '.');
const OTHER_SECRET = 'another secret'.padEnd(40, '.');
const WEBHOOK_SECRET = 'what-the-webhook-is-signed-with';

let dir: string;
let server: TestServer;
const file = (name: string) => path.join(dir, name);
/** The drill runs without an installation: no database, and a DATA_DIR that doesn't exist. */
const elsewhere = (secret: string) =>
  commandLine({ DATA_DIR: file('no-installation'), TEEHOUSE_SECRET: secret });

let temporary: string | undefined;
beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-drills-');
  await chmod(dir, 0o755); // As root, PostgreSQL runs as another user.
  temporary = process.env.TMPDIR;
  server = await startTestServer({
    env: { TEEHOUSE_SECRET: SECRET, WEBHOOKS_TO_LOCALHOST: 'on', INVOICE_SELLER: 'Example Cloud' },
  });
  await fill();
  const run = await commandLine({ DATABASE_URL: server.database.url, TEEHOUSE_SECRET: SECRET })([
    'backup',
    '--to',
    file('whole.gz'),
  ]);
  expect(run.code, run.err.join('\n')).toBe(0);
  await mkdir(file('tmp'), { mode: 0o755 });
  process.env.TMPDIR = file('tmp');
});
afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await server.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Two users, a webhook with its secret, and an issued invoice with its PDF. */
async function fill(): Promise<void> {
  const { db, log } = server.services;
  const admin = await server.register('admin@example.test');
  const owner = await server.register('payer@example.test');
  const webhook = await owner.call('createWebhook', {
    body: { url: 'http://127.0.0.1:4099/hook', events: ['cvm.created'], secret: WEBHOOK_SECRET },
  });
  expect(webhook.status).toBe(201);
  const { team_id } = await identityOf(db, 'payer@example.test');
  const books = await startBooks(server.services);
  await books.cvm(team_id, [
    ['running', '2025-01-03T10:00:00Z', { hourly_rate_micros: 200_000 }],
    ['deleted', '2025-01-03T11:00:00Z', { hourly_rate_micros: 200_000 }],
  ]);
  await closeUsage({ db, log, now: new Date('2025-01-03T14:00:00Z') });
  const period = { start: new Date('2025-01-01T00:00:00Z'), end: new Date('2025-02-01T00:00:00Z') };
  const draft = await withTransaction(db, (trx) => draftInvoice(trx, team_id, period));
  const id = draft?.id ?? 0;
  const issued = await admin.call('issueAdminInvoice', {
    path: { id },
    headers: { 'idempotency-key': 'issue' },
  });
  expect((issued.body as AdminInvoice).state, JSON.stringify(issued.body)).not.toBe('draft');
  expect((await admin.call('downloadAdminInvoice', { path: { id } })).status).toBe(200);
}

/** Remaining drill directories. tsx keeps its cache next to them. */
const leftovers = async () =>
  (await readdir(file('tmp'))).filter((name) => name.startsWith('teehouse-drill-'));

const backedUp = async () => gunzipSync(await readFile(file('whole.gz'))).toString();
const isRowOf = (table: string) => {
  let current = '';
  return (line: string) => {
    if (line.startsWith(`${NOTE}{"table":`)) current = (JSON.parse(line.slice(1)) as { table: string }).table;
    return line.startsWith(ROW) && current === table;
  };
};

interface Report {
  passed: boolean;
  backup: { made_at: string } | null;
  restored: {
    seconds: number;
    newest_audit_entry_at: string | null;
    counts: Record<string, number>;
  } | null;
  findings: { level: string; what: string; text: string }[];
}
const reportOf = (out: string[]) => JSON.parse(out.join('\n')) as Report;

describe('drill', () => {
  it('validates an intact backup and leaves nothing behind', { timeout: 300_000 }, async () => {
    const before = await server.database.pool.query('select count(*) as n from audit_log');
    const run = await elsewhere(SECRET)(['drill', '--from', file('whole.gz'), '--json']);
    expect(run.code, [...run.out, ...run.err].join('\n')).toBe(0);
    const { passed, backup, restored, findings } = reportOf(run.out);
    expect(passed).toBe(true);
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(findings.map(({ what }) => what)).toEqual([
      'file',
      'secret',
      'rows',
      'schema',
      'encryption',
      'audit log',
      'ledger',
      'invoices',
      'evidence',
      'content',
      'newest entry',
    ]);
    const textOf = (what: string) => findings.find((finding) => finding.what === what)?.text;
    expect(textOf('invoices')).toMatch(/^1 issued, with 1 PDF /);
    expect(textOf('content')).toMatch(/^2 users, /);
    expect(restored?.counts).toMatchObject({ users: 2, invoices: 1 });
    expect(restored?.seconds).toBeGreaterThan(0);
    const newest = new Date(restored?.newest_audit_entry_at ?? 0).getTime();
    expect(newest).toBeGreaterThan(Date.now() - 3_600_000);
    expect(newest).toBeLessThanOrEqual(new Date(backup?.made_at ?? 0).getTime() + 1_000);

    expect(await leftovers()).toEqual([]);
    expect(existsSync(file('no-installation'))).toBe(false);
    const after = await server.database.pool.query('select count(*) as n from audit_log');
    expect(after.rows).toEqual(before.rows);
  });

  it('names each reason a backup is invalid, and no secret', { timeout: 300_000 }, async () => {
    const isAudit = isRowOf('audit_log');
    const isPdf = isRowOf('invoice_documents');
    const lines = (await backedUp()).trimEnd().split('\n');
    const changed = lines
      .map((line) => {
        if (isAudit(line)) return line.replace('"action":"webhook.create"', '"action":"webhook.delete"');
        if (line.startsWith(`${NOTE}{"end":`))
          return line.replace('"invoice_documents":1', '"invoice_documents":0');
        return line;
      })
      .filter((line) => !isPdf(line));
    expect(changed).toHaveLength(lines.length - 1);
    expect(changed.join('\n')).toContain('"action":"webhook.delete"');
    // A PDF may be generated hours after its invoice was issued.
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const [head = '', ...rest] = changed;
    const dated = [head.replace(/"created_at":"[^"]+"/, `"created_at":"${later}"`), ...rest];
    await writeFile(file('changed.gz'), gzipSync(`${dated.join('\n')}\n`));

    const run = await elsewhere(OTHER_SECRET)(['drill', '--from', file('changed.gz')]);
    expect(run.code).toBe(1);
    const failed = run.out.filter((line) => line.startsWith('fail'));
    expect(failed).toEqual([
      expect.stringMatching(/^fail {2}secret .*isn't the backup's$/),
      expect.stringMatching(
        /^fail {2}encryption .*outbox\.sealed_content \((\d+) of \1\).*webhooks\.sealed_secret \(1 of 1\)$/,
      ),
      expect.stringMatching(/^fail {2}audit log .*was changed/),
      expect.stringMatching(/^fail {2}invoices .*PDF is missing: \S+-00001$/),
    ]);
    expect(run.out.at(-1)).toContain('FAILED: secret, encryption, audit log, invoices.');
    const text = [...run.out, ...run.err].join('\n');
    for (const secret of [SECRET, OTHER_SECRET, WEBHOOK_SECRET]) expect(text).not.toContain(secret);
    expect(await leftovers()).toEqual([]);
  });

  it.each([
    [
      'a flipped byte',
      (bytes: Buffer) =>
        bytes.fill(bytes[bytes.length >> 1]! ^ 0x10, bytes.length >> 1, (bytes.length >> 1) + 1),
    ],
    ['a missing end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 200)],
    ['no backup in it', () => Buffer.from('hello')],
  ])('refuses a file with %s', async (_what, damage) => {
    await writeFile(file('damaged.gz'), damage(await readFile(file('whole.gz'))));
    const run = await elsewhere(SECRET)(['drill', '--from', file('damaged.gz'), '--json']);
    expect(run.code).toBe(1);
    const report = reportOf(run.out);
    expect(report).toMatchObject({ passed: false, backup: null, restored: null });
    expect(report.findings).toEqual([
      expect.objectContaining({
        level: 'fail',
        what: 'file',
        text: expect.stringMatching(/damaged|incomplete/),
      }),
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it('requires a file that exists', async () => {
    expect((await elsewhere(SECRET)(['drill'])).code).toBe(2);
    const run = await elsewhere(SECRET)(['drill', '--from', file('none.gz')]);
    expect(run.code).toBe(1);
    expect(run.out.join('\n')).toContain('does not exist');
  });

  it('removes its database when it is interrupted', { timeout: 300_000 }, async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', path.join(ROOT, 'server/cli.ts'), 'drill', '--from', file('whole.gz')],
      {
        cwd: ROOT,
        env: {
          PATH: process.env.PATH,
          TMPDIR: file('tmp'),
          DATA_DIR: file('no-installation'),
          TEEHOUSE_SECRET: SECRET,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const exited = once(child, 'exit');
    try {
      const pid = await eventually('its PostgreSQL runs', async () => {
        const [made] = await leftovers();
        const text = await readFile(
          path.join(file('tmp'), made ?? '-', 'postgres/postmaster.pid'),
          'utf8',
        ).catch(() => '');
        return Number(text.split('\n')[0]);
      });
      child.kill('SIGINT');
      child.kill('SIGINT'); // As npm passes it on.
      expect(await exited).toEqual([1, null]);
      expect(said).toContain('Interrupted.');
      expect(await leftovers()).toEqual([]);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('a backup’s secret', () => {
  const check = secretCheck(SECRET);
  it.each([
    [{ first: SECRET, second: undefined }, 'ok'],
    [{ first: OTHER_SECRET, second: SECRET }, 'ok'],
    [{ first: OTHER_SECRET, second: undefined }, 'fail'],
    [{ first: undefined, second: undefined }, 'fail'],
  ])('is one of the configured ones', (secrets, level) => {
    expect(proveSecret(secrets, check).level).toBe(level);
  });
});
