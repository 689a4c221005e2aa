import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, loadSecret } from '../config';
import { withTransaction } from '../db/core/client';
import { samples, TOKEN } from '../domain/notifications/mail/testing/samples';
import { createSeal } from '../domain/core/seal';
import { createMailOutbox } from '../jobs/notifications/mailOutbox';
import { commandLine } from '../testing/commandLine';
import { createTestDatabase, type TestDatabase } from '../testing/database';

let database: TestDatabase;
let dir: string;
let id: number;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  dir = await mkdtemp('/tmp/teehouse-outbox-');
  env = { DATABASE_URL: database.url, DATA_DIR: dir };
  const config = loadConfig(env);
  const outbox = createMailOutbox({
    brand: 'Teehouse',
    config,
    seal: createSeal(Buffer.from(await loadSecret(config))),
    jobs: { enqueueMail: async () => undefined },
  });
  await withTransaction(database.db, (trx) =>
    outbox.enqueue(trx, {
      to: 'ada@example.test',
      template: 'invitation',
      data: samples('Tea\u001b[2J house').invitation,
    }),
  );
  ({ id } = await database.db.selectFrom('outbox').select('id').executeTakeFirstOrThrow());
});
afterAll(async () => {
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});

const teehouse = (argv: string[], more: Record<string, string> = {}) =>
  commandLine({ ...env, ...more })(argv);

describe('outbox', () => {
  it('lists waiting mail without its content', async () => {
    const { code, out } = await teehouse(['outbox', 'list']);
    expect(code).toBe(0);
    expect(out[1]).toMatch(new RegExp(`^${id} +\\d{4}-.* kept +ada@example\\.test +You’re invited to join`));
    expect(out.join('\n')).not.toContain(TOKEN);
    expect(out.join('\n')).not.toContain('\u001b');
  });

  it('shows one email with its link and records it in the audit log', async () => {
    const { code, out } = await teehouse(['outbox', 'show', String(id)]);
    expect(code).toBe(0);
    expect(out.slice(0, 2)).toEqual([
      'To: ada@example.test',
      expect.stringMatching(/^Subject: You’re invited/),
    ]);
    expect(out).toContain(`http://localhost:3000/invite/${TOKEN}`);
    expect(out.join('\n')).not.toContain('\u001b');
    const audited = await database.db
      .selectFrom('audit_log')
      .select(['actor_kind', 'target_id'])
      .where('action', '=', 'outbox.read')
      .execute();
    expect(audited).toEqual([{ actor_kind: 'cli', target_id: String(id) }]);
  });

  it('stores none of it in plaintext', async () => {
    const file = path.join(dir, 'all.gz');
    expect((await teehouse(['backup', '--to', file])).code).toBe(0);
    const dump = gunzipSync(readFileSync(file)).toString('utf8');
    expect(dump).toContain('ada@example.test');
    expect(dump).not.toContain(TOKEN);
    expect(dump).not.toContain(TOKEN.slice(8));
    expect(dump).not.toContain(Buffer.from(TOKEN).toString('base64').slice(0, 20));
  });

  it.each([
    [['outbox'], 2, 'outbox list or outbox show'],
    [['outbox', 'send'], 2, 'outbox send'],
    [['outbox', 'show'], 2, 'Specify an email ID'],
    [['outbox', 'show', 'x'], 2, 'Specify an email ID'],
    [['outbox', 'show', '999999'], 1, 'no email 999999'],
  ])('rejects %j', async (argv, code, text) => {
    const run = await teehouse(argv);
    expect(run.code).toBe(code);
    expect(run.err.join('\n')).toContain(text);
  });

  it('explains a wrong secret and mail that is no longer stored', async () => {
    const other = await teehouse(['outbox', 'show', String(id)], { TEEHOUSE_SECRET: 'o'.repeat(40) });
    expect(other.code).toBe(1);
    expect(other.err.join()).toContain('another secret');
    await database.db
      .updateTable('outbox')
      .set({ state: 'sent', sent_at: new Date(), sealed_content: null })
      .execute();
    const gone = await teehouse(['outbox', 'show', String(id)]);
    expect(gone.code).toBe(1);
    expect(gone.err.join()).toContain('no longer stored');
  });
});
