import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server';
import { commandLine, type CliRun } from '../testing/commandLine';

let server: TestServer;
let dataDir: string;
let teehouse: (argv: string[], input?: string) => Promise<CliRun>;
const started: (string | undefined)[] = [];
beforeAll(async () => {
  // Runs beside a live server, as an operator would.
  server = await startTestServer();
  dataDir = await mkdtemp('/tmp/teehouse-cli-');
  teehouse = commandLine({ DATABASE_URL: server.database.url, DATA_DIR: dataDir }, (role) =>
    started.push(role),
  );
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const signIn = (email: string, password: string) =>
  server.anonymous.call('createSession', { body: { email, password } });
const audits = async (action: string) =>
  server.services.db.selectFrom('audit_log').selectAll().where('action', '=', action).execute();

describe('user', () => {
  it('create makes an account that can sign in, and the first one a platform admin', async () => {
    const first = await teehouse(['user', 'create', '--email', 'Root@Example.test', '--password', PASSWORD]);
    expect(first).toMatchObject({ code: 0, err: [] });
    expect(first.out[0]).toMatch(/^usr_\w+ root@example.test team root-team, platform admin$/);
    const second = await teehouse(
      ['user', 'create', '--email=ann@example.test', '--password-stdin'],
      `${PASSWORD}\n`,
    );
    expect(second.out[0]).toMatch(/team ann$/);
    const third = await teehouse([
      'user',
      'create',
      '--email',
      'ops@example.test',
      '--password',
      PASSWORD,
      '--admin',
    ]);
    expect(third.out[0]).toContain('platform admin');
    expect((await signIn('ann@example.test', PASSWORD)).body).toMatchObject({
      platform_role: null,
      teams: [{ slug: 'ann' }],
    });
    const [row] = await audits('user.create');
    expect(row).toMatchObject({ actor_kind: 'cli', actor_user_id: null });
    expect(JSON.stringify(await audits('user.create'))).not.toContain(PASSWORD);
  });

  it.each([
    [['--email', 'ann@example.test', '--password', PASSWORD], 1, 'already has an account'],
    [['--email', 'new@example.test', '--password', 'short'], 1, '10 characters'],
    [['--email', 'new@example.test', '--password', 'Password2024!!'], 1, 'data breaches'],
    [['--email', 'new@example.test'], 2, '--password'],
    [['--email', 'nobody', '--password', PASSWORD], 2, 'email'],
    [['--password', PASSWORD], 2, '--email is missing'],
    [['--email', 'new@example.test', '--password', PASSWORD, '--root'], 2, '--root'],
    [['new@example.test'], 2, 'new@example.test'],
  ])('create %j exits with %i', async (args, code, text) => {
    const run = await teehouse(['user', 'create', ...args]);
    expect(run).toMatchObject({ code, out: [] });
    expect(run.err.join('\n')).toContain(text);
    expect(run.err.join('\n')).not.toContain(PASSWORD);
  });

  it('reset-password accepts the new password and ends old sessions', async () => {
    const person = await server.register('ben@example.test');
    const run = await teehouse([
      'user',
      'reset-password',
      '--email',
      'ben@example.test',
      '--password',
      'a new password',
    ]);
    expect(run.out[0]).toContain('1 session ended');
    expect((await person.call('getSession')).body.user).toBeNull();
    expect((await signIn('ben@example.test', PASSWORD)).status).toBe(401);
    expect((await signIn('ben@example.test', 'a new password')).status).toBe(201);
    const nobody = await teehouse([
      'user',
      'reset-password',
      '--email',
      'x@example.test',
      '--password',
      'a new password',
    ]);
    expect(nobody).toMatchObject({ code: 1 });
  });

  it('verify confirms an address without its link; create makes confirmed accounts', async () => {
    const body = { email: 'vera@example.test', password: PASSWORD };
    await server.anonymous.call('registerUser', { body });
    expect((await signIn('vera@example.test', PASSWORD)).body).toMatchObject({
      user: { email_verified: false },
    });
    const run = await teehouse(['user', 'verify', '--email', 'Vera@example.test']);
    expect(run).toMatchObject({ code: 0, err: [] });
    expect(run.out[0]).toMatch(/^usr_\w+ vera@example.test is confirmed$/);
    for (const email of ['vera@example.test', 'ann@example.test'])
      expect((await signIn(email, PASSWORD)).body).toMatchObject({ user: { email_verified: true } });
    expect(await teehouse(['user', 'verify', '--email', 'nobody@example.test'])).toMatchObject({ code: 1 });
    expect(await teehouse(['user', 'verify'])).toMatchObject({ code: 2 });
  });

  it('make-admin applies to the next request, and list shows it', async () => {
    const person = await server.register('cleo@example.test');
    expect((await teehouse(['user', 'make-admin', '--email', 'cleo@example.test'])).code).toBe(0);
    expect((await person.call('getSession')).body.platform_role).toBe('admin');
    const { out } = await teehouse(['user', 'list']);
    expect(out.find((line) => line.startsWith('cleo@'))).toMatch(/\sadmin\s+active\s+cleo\s/);
  });
});

describe('token', () => {
  it('create prints only a working token, and revoke ends it', async () => {
    const run = await teehouse(['token', 'create', '--user', 'ann@example.test']);
    expect(run).toMatchObject({ code: 0, err: [] });
    expect(run.out).toHaveLength(1);
    const [token = ''] = run.out;
    const client = server.anonymous.with({ 'x-api-key': token });
    expect((await client.call('getCurrentUser')).body).toMatchObject({ workspace: { slug: 'ann' } });
    const listed = (await teehouse(['token', 'list', '--user', 'ann@example.test'])).out.join('\n');
    expect(listed).toContain(token.slice(0, 12));
    expect(listed).not.toContain(token);
    expect(JSON.stringify(await audits('token.create'))).not.toContain(token);

    expect(await teehouse(['token', 'revoke', '--token', token])).toMatchObject({ code: 0 });
    expect((await client.call('getCurrentUser')).status).toBe(401);
    expect(await teehouse(['token', 'revoke', '--token', token])).toMatchObject({ code: 1 });
  });

  it('create takes team, scopes and days; revoke takes an ID', async () => {
    const person = await server.register('dora@example.test');
    await person.call('createWorkspace', { body: { name: 'Dora and Co', slug: 'dora-co' } });
    const args = [
      '--user',
      'dora@example.test',
      '--team',
      'dora-co',
      '--scopes',
      'nodes:*',
      '--days',
      '7',
      '--name',
      'ci',
    ];
    const { out } = await teehouse(['token', 'create', ...args]);
    const client = server.anonymous.with({ 'x-api-key': out[0] ?? '' });
    expect((await client.call('listAvailableTeepods')).status).toBe(200);
    expect((await client.call('listApps')).status).toBe(403);
    const { db } = server.services;
    const row = await db
      .selectFrom('api_tokens')
      .selectAll()
      .where('name', '=', 'ci')
      .executeTakeFirstOrThrow();
    expect(row.expires_at!.getTime() - row.created_at.getTime()).toBeCloseTo(7 * 86_400_000, -4);
    expect((await teehouse(['token', 'revoke', '--token-id', row.public_id])).code).toBe(0);
    expect((await client.call('listAvailableTeepods')).status).toBe(401);
  });

  it.each([
    [['create', '--user', 'nobody@example.test'], 1],
    [['create', '--user', 'ann@example.test', '--team', 'dora-co'], 1],
    [['create', '--user', 'ann@example.test', '--days', 'seven'], 2],
    [['create', '--user', 'ann@example.test', '--scopes', 'all of them!'], 2],
    [['revoke'], 2],
    [['revoke', '--token', 'thk_api_nope'], 1],
    [['shred'], 2],
  ])('%j exits with %i and no output', async (args, code) => {
    const run = await teehouse(['token', ...args]);
    expect(run).toMatchObject({ code, out: [] });
    expect(run.err.length).toBeGreaterThan(0);
  });
});

describe('other commands', () => {
  it('help names every command; unknown commands and bad configuration have exit codes', async () => {
    const { code, out } = await teehouse([]);
    expect(code).toBe(0);
    for (const word of [
      'user create',
      'token revoke',
      'backup',
      'restore',
      'doctor',
      'migrate',
      'DATABASE_URL',
    ])
      expect(out.join('\n')).toContain(word);
    expect(await teehouse(['frobnicate'])).toMatchObject({ code: 2, out: [] });
    const wrong = await commandLine({ PORT: 'eighty' })(['user', 'list']);
    expect(wrong.code).toBe(78);
    expect(wrong.err.join('\n')).toContain('PORT');
  });
  it('start runs the server in its role, and migrate reports what it applied', async () => {
    expect((await teehouse(['start', '--role', 'worker'])).code).toBe(0);
    expect(started).toEqual(['worker']);
    expect((await teehouse(['migrate'])).out).toEqual(['up to date']);
  });
});
