import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadConfig } from '../../config';
import { createLogger } from '../../log';
import { startServer, type RunningServer } from '../../main';
import { commandLine } from '../../testing/commandLine';
import { copyEmptyDatabase } from '../../testing/emptyDatabase';
import { OPEN_TO_ALL } from '../../testing/openServer';
import { PASSWORD, sessionCookieOf } from '../../testing/server';

/*
 * The disaster that backups are for: the data directory of a server with its own database is lost. Everything the
 * server acknowledged before the backup must be there after the restore, and work.
 */
const EMAIL = 'owner@example.test';
const WEBHOOK_SECRET = 'what-the-webhook-is-signed-with';

let dir: string;
let env: Record<string, string>;
let running: RunningServer | undefined;
beforeAll(async () => {
  dir = await mkdtemp('/tmp/teehouse-disaster-');
  await chmod(dir, 0o755); // As root, PostgreSQL runs as another user.
  env = {
    ...OPEN_TO_ALL,
    PORT: '0',
    DATA_DIR: path.join(dir, 'data'),
    // Stored apart from the data directory, as in the manual.
    TEEHOUSE_SECRET: 'kept in a safe'.padEnd(40, '.'),
    LOG_LEVEL: 'fatal',
    LOCAL_TEEPOD: 'off',
    WEBHOOKS_TO_LOCALHOST: 'on',
    WRITES_PER_MINUTE: '1000000',
  };
});
afterAll(async () => {
  await running?.stop();
  await rm(dir, { recursive: true, force: true });
});

const teehouse = (...argv: string[]) => commandLine(env)(argv);
const start = async () => (running = await startServer(loadConfig(env), createLogger('fatal')));

async function call(method: string, url: string, headers: Record<string, string>, body?: unknown) {
  const reply = await fetch(`${running?.address}/api/v1${url}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Record<string, unknown>,
  };
}

it(
  'loses nothing that was acknowledged before the backup when the data directory is lost',
  { timeout: 600_000 },
  async () => {
    const empty = inject('emptyDatabase');
    if (empty !== null) await copyEmptyDatabase(empty, env.DATA_DIR!, { durable: true });
    await start();
    const registered = await call('POST', '/auth/register', {}, { email: EMAIL, password: PASSWORD });
    const cookie = sessionCookieOf(registered as never) ?? '';
    expect(cookie).not.toBe('');
    expect((await teehouse('user', 'verify', '--email', EMAIL)).code).toBe(0);
    const session = await call('GET', '/session', { cookie });
    const slug = (session.body.teams as { slug: string }[])[0]?.slug ?? '';

    /** Creates an API token. @returns its value, which the server acknowledged and keeps only as a hash */
    let made = 0;
    const createToken = async () => {
      const answer = await call(
        'POST',
        `/workspaces/${slug}/tokens`,
        { cookie },
        {
          name: `token ${++made}`,
          scopes: ['*'],
        },
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return String(answer.body.token);
    };
    const works = async (token: string) =>
      (await call('GET', '/auth/me', { 'x-api-key': token })).status === 200;

    const webhook = await call(
      'POST',
      '/workspace/webhooks',
      { cookie, 'x-workspace': slug },
      {
        url: 'http://127.0.0.1:4099/hook',
        events: ['cvm.created'],
        secret: WEBHOOK_SECRET,
      },
    );
    expect(webhook.status, JSON.stringify(webhook.body)).toBe(201);
    const before = [await createToken(), await createToken(), await createToken()];

    // The backup is made while the server writes: changes acknowledged during it may or may not be included.
    const file = path.join(dir, 'backup.gz');
    const backup = teehouse('backup', '--to', file);
    let done = false;
    const finished = backup.finally(() => (done = true));
    while (!done && made < 20) await createToken();
    expect(await finished).toMatchObject({ code: 0 });
    const after = [await createToken(), await createToken()];
    expect(await Promise.all([...before, ...after].map(works))).not.toContain(false);

    await running?.stop();
    running = undefined;
    await rm(env.DATA_DIR!, { recursive: true });
    const restored = await teehouse('restore', '--from', file);
    expect(restored, restored.err.join('\n')).toMatchObject({ code: 0 });
    await start();

    expect(await Promise.all(before.map(works))).toEqual([true, true, true]);
    // Acknowledged after the backup, and therefore lost.
    expect(await Promise.all(after.map(works))).toEqual([false, false]);
    expect((await call('GET', '/session', { cookie })).body.teams).toEqual([
      expect.objectContaining({ slug }),
    ]);
    const signIn = await call('POST', '/auth/session', {}, { email: EMAIL, password: PASSWORD });
    expect(signIn.status, JSON.stringify(signIn.body)).toBe(201);
    const sealed = await running!.services.db
      .selectFrom('webhooks')
      .select('sealed_secret')
      .executeTakeFirstOrThrow();
    expect(running!.services.seal.open('webhook-secret', sealed.sealed_secret)).toBe(WEBHOOK_SECRET);
    expect((await teehouse('verify')).code).toBe(0);
    // The restored server continues to write.
    expect(await works(await createToken())).toBe(true);
  },
);
