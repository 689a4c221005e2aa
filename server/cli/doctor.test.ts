import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer } from '../drivers/mail/testing/mailServer';
import { selfSigned } from '../testing/certificate';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { clockFinding } from './checks/database';
import { checkMail, checkNode, checkPublicUrl, checkTraces, diskFinding } from './checks/machine';
import { commandLine } from '../testing/commandLine';
import { startOtlpReceiver } from '../testing/otlpReceiver';

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
  it('reports a fresh installation as healthy', async () => {
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
      'traces',
    ])
      expect(out.find((line) => line.includes(`  ${what} `))?.slice(0, 2), what).toBe('ok');
  });

  it('names every invalid setting and the values it accepts', async () => {
    const { code, out } = await doctor({ PORT: 'eighty', TEEHOUSE_SECRET: 'too short' });
    expect(code).toBe(78);
    expect(out.join('\n')).toContain('PORT=eighty');
    expect(out.join('\n')).toContain('TEEHOUSE_SECRET');
    expect(out.join('\n')).not.toContain('too short');
  });

  it('reports a missing or outdated database without changing it', async () => {
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

  it("warns when a team uses the agent framework's address", async () => {
    const wallet_address = `0x${'1'.repeat(40)}`;
    await database.db
      .insertInto('teams')
      .values({ public_id: 'wks_wizard', slug: 'wizard', name: 'Wizards', wallet_address } as never)
      .execute();
    const { out } = await doctor({ AGENT_FRAMEWORK: 'wizard' });
    expect(out.find((line) => line.includes('AGENT_FRAMEWORK=wizard'))).toMatch(/^warn.*“Wizards”/);
    expect((await doctor()).out.join()).not.toContain('AGENT_FRAMEWORK');
  });

  it('contacts every host and KMS, and expects the local teepod only while the server runs', async () => {
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
    await database.pool.query(`
      insert into teepods (node_id, name, url, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
      select id, 'many-' || n, 'http://127.0.0.1:1', 1, 1, 1, 1 from nodes, generate_series(1, 600) n`);
    const many = (await doctor()).out.filter((text) => /^fail {2}host .*many-/.test(text));
    expect(many).toHaveLength(600);
    await database.pool.query(`delete from teepods where name like 'many-%'`);
  });
});

describe('doctor on accounts', () => {
  const PUBLIC = { PUBLIC_URL: 'https://cloud.example.test' };
  const about = async (env: Record<string, string>, what: string) =>
    (await doctor(env)).out.filter((line) => line.includes(`  ${what} `));

  it('warns that the first account on a public server becomes its administrator', async () => {
    expect(await about({}, 'registration')).toEqual([expect.stringMatching(/^ok .*open$/)]);
    expect(await about(PUBLIC, 'registration')).toEqual([expect.stringMatching(/^warn.*first to register/)]);
    expect(await about({ HOST: '0.0.0.0' }, 'registration')).toEqual([
      expect.stringMatching(/^warn.*first to register/),
    ]);
    const named = { ...PUBLIC, TEEHOUSE_ADMIN_EMAIL: 'admin@example.test' };
    expect(await about(named, 'registration')).toEqual([expect.stringMatching(/^ok .*invite$/)]);
    expect(await about({ REGISTRATION: 'off' }, 'registration')).toEqual([
      expect.stringMatching(/^warn.*no account yet/),
    ]);
  });

  it('warns about open registration on a public server and a local teepod open to all teams', async () => {
    const open = { ...PUBLIC, REGISTRATION: 'open', TEEHOUSE_ADMIN_EMAIL: 'admin@example.test' };
    expect(await about(open, 'registration')).toEqual([expect.stringMatching(/^warn.*anyone/)]);
    // The test above registered the local teepod.
    expect(await about(open, 'local teepod')).toEqual([expect.stringMatching(/^warn.*all teams/)]);
    expect(await about(PUBLIC, 'local teepod')).toEqual([]);
  });
});

describe('doctor thresholds', () => {
  it('grade clock offset and disk space', () => {
    expect([0.3, -3, 45].map((seconds) => clockFinding(seconds).level)).toEqual(['ok', 'warn', 'fail']);
    expect(clockFinding(-3).text).toContain('3.0 s behind');
    expect([80, 3, 0.2].map((gb) => diskFinding('/x', gb).level)).toEqual(['ok', 'warn', 'fail']);
  });
  it('grade the Node version and the public URL', () => {
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
  it("cover mail servers that accept, refuse or don't respond", async () => {
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

describe('the trace collector', () => {
  const headers = { 'x-api-key': 'k3y-of-the-collector' };
  const found = (endpoint: string, certificate: string | null = null) =>
    checkTraces({ tracing: { endpoint, headers, certificate, service: 'x', ratio: 1 } });

  it('receives the headers, which the warning about a refusal omits', async () => {
    const collector = await startOtlpReceiver();
    expect(await found(collector.endpoint)).toMatchObject({ level: 'ok' });
    expect(collector.received[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-api-key': 'k3y-of-the-collector' },
    });
    collector.answer = (_request, res) => void res.writeHead(401).end();
    const refused = await found(collector.endpoint);
    expect(refused).toMatchObject({ level: 'warn', text: expect.stringContaining('replies 401') });
    await collector.close();
    const gone = await found(collector.endpoint);
    expect(gone).toMatchObject({ level: 'warn', text: expect.stringContaining("doesn't respond") });
    expect(JSON.stringify([refused, gone])).not.toContain('k3y');
  });

  it('may have a certificate of a private authority', async () => {
    const { key, cert } = selfSigned('127.0.0.1');
    const collector = createServer({ key, cert }, (_request, res) => void res.end('{}'));
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const endpoint = `https://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    await writeFile(`${dir}/ca.pem`, cert);
    expect(await found(endpoint)).toMatchObject({ level: 'warn' });
    expect(await found(endpoint, `${dir}/ca.pem`)).toMatchObject({ level: 'ok' });
    expect(await found(endpoint, `${dir}/none.pem`)).toMatchObject({
      level: 'warn',
      text: `can't read OTEL_EXPORTER_OTLP_CERTIFICATE=${dir}/none.pem`,
    });
    collector.close();
  });

  it('is optional', async () => {
    expect(await checkTraces({ tracing: null })).toMatchObject({ level: 'ok' });
  });
});
