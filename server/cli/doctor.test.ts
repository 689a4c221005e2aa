import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer } from '../drivers/mail/testing/mailServer';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { clockFinding } from './checks/database';
import { checkMail, checkNode, checkPublicUrl, diskFinding } from './checks/machine';
import { commandLine } from '../testing/commandLine';

let dir: string;
let database: TestDatabase;
beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-doctor-');
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(dir, { recursive: true, force: true });
});
const doctor = (env: Record<string, string> = {}) =>
  commandLine({ DATABASE_URL: database.url, DATA_DIR: dir, LOCAL_TEEPOD_ENGINE: 'simulate', ...env })([
    'doctor',
  ]);

describe('doctor', () => {
  it('finds nothing wrong with a fresh installation', async () => {
    const { code, out } = await doctor({ TEEHOUSE_SECRET: 's'.repeat(40) });
    expect(code, out.join('\n')).toBe(0);
    for (const what of [
      'configuration',
      'node',
      'secret',
      'disk',
      'database',
      'clock',
      'hosts',
      'docker',
      'mail',
    ])
      expect(out.find((line) => line.includes(`  ${what} `))?.slice(0, 2), what).toBe('ok');
  });

  it('names every mistake in the configuration and what would be right', async () => {
    const { code, out } = await doctor({ PORT: 'eighty', TEEHOUSE_SECRET: 'too short' });
    expect(code).toBe(78);
    expect(out.join('\n')).toContain('PORT=eighty');
    expect(out.join('\n')).toContain('TEEHOUSE_SECRET');
    expect(out.join('\n')).not.toContain('too short');
  });

  it('says when the database is away, or not up to date, without changing it', async () => {
    const away = await doctor({ DATABASE_URL: 'postgres://nobody:hunter22@127.0.0.1:1/none' });
    expect(away.code).toBe(1);
    expect(away.out.join('\n')).toContain('fail  database');
    expect(away.out.join('\n')).not.toContain('hunter22');
    const empty = await createTestDatabase();
    try {
      await empty.pool.query('drop table kysely_migration');
      const { code, out } = await doctor({ DATABASE_URL: empty.url });
      expect(code).toBe(1);
      expect(out.join('\n')).toContain('0001_foundation');
    } finally {
      await empty.drop();
    }
  });

  it('asks every host and KMS, and tells the local teepod from one that should always answer', async () => {
    const { db } = database;
    const node = await db
      .insertInto('nodes')
      .values({ name: 'n' } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const host = { node_id: node.id, max_cvms: 1, max_vcpu: 1, max_memory_mb: 1, max_disk_gb: 1 };
    await db
      .insertInto('teepods')
      .values([
        { ...host, name: 'local-teepod', kind: 'local', url: `unix:${dir}/none.sock` },
        { ...host, name: 'rack-1', url: 'http://127.0.0.1:1' },
        { ...host, name: 'retired', url: 'http://127.0.0.1:1', state: 'offline' },
      ] as never)
      .execute();
    await db
      .insertInto('kms')
      .values({ public_id: 'kms_1', slug: 'main', url: 'http://127.0.0.1:1' } as never)
      .execute();
    const { code, out } = await doctor();
    expect(code).toBe(1);
    const line = (name: string) => out.find((text) => text.includes(`${name}:`));
    expect(line('local-teepod')).toMatch(/^warn/);
    expect(line('rack-1')).toMatch(/^fail/);
    expect(line('retired')).toMatch(/^ok/);
    expect(line('main')).toMatch(/^fail {2}kms/);
    expect(out.filter((text) => text.includes('→')).length).toBeGreaterThanOrEqual(3);
  });
});

describe('its judgement', () => {
  it('of clock and disk', () => {
    expect([0.3, -3, 45].map((seconds) => clockFinding(seconds).level)).toEqual(['ok', 'warn', 'fail']);
    expect(clockFinding(-3).text).toContain('3.0 s behind');
    expect([80, 3, 0.2].map((gb) => diskFinding('/x', gb).level)).toEqual(['ok', 'warn', 'fail']);
  });
  it('of Node and address', () => {
    expect(['20.19.0', '22.1.0', '20.18.3', '18.20.0'].map((v) => checkNode(v).level)).toEqual([
      'ok',
      'ok',
      'fail',
      'fail',
    ]);
    const level = (publicUrl: string) => checkPublicUrl({ publicUrl }).level;
    expect(level('http://localhost:3000')).toBe('ok');
    expect(level('https://cloud.example.com')).toBe('ok');
    expect(level('http://cloud.example.com')).toBe('warn');
  });
  it('of a mail server that lets us in, turns us away, or is not there', async () => {
    const mailFrom = { name: 'Teehouse', address: 'no-reply@example.test' };
    const smtp = await startMailServer({
      onAuth: ({ password }, _session, done) =>
        password === 'hunter22'
          ? done(null, { user: 'me' })
          : done(Object.assign(new Error('wrong password'), { responseCode: 535 })),
    });
    const ask = (password: string) =>
      checkMail({ mailFrom, smtpUrl: `smtp://me:${password}@127.0.0.1:${smtp.port}` });
    try {
      expect(await ask('hunter22')).toMatchObject({ level: 'ok' });
      const wrong = await ask('hunter23');
      expect(wrong.level).toBe('fail');
      expect(wrong.text).toContain('535');
      expect(wrong.text).not.toContain('hunter23');
    } finally {
      await smtp.stop();
    }
    expect((await checkMail({ mailFrom, smtpUrl: 'smtp://127.0.0.1:1' })).level).toBe('fail');
    expect((await checkMail({ mailFrom, smtpUrl: undefined })).text).toContain('outbox');
  });
});
