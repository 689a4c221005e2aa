import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { addWebhookWatch } from '../../db/public/watchWebhooks';
import { sendWatchWebhooks } from '../../jobs/public/sendWatchWebhooks';
import { notifyWatchers } from '../../jobs/public/notifyWatchers';
import { createOutbound } from '../../drivers/net/outbound';
import { listOf } from '../../domain/core/outbound';
import { sealWatchSecret, WATCH_RETRY_SECONDS } from '../../domain/public/watchEvent';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertRevision,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import { startReceiver, type Received, type Receiver } from '../../testing/webhookReceiver';

/**
 * Receivers watching a published app: registered by a challenge, notified of changes, ended by failures or on
 * request.
 */
let server: TestServer;
let receiver: Receiver;
let app: TestApp['app'];
let host: TestHost;
let cvm_id: number;
let version = 1;
/** Advanced by retry tests. */
let now = new Date();

const SECRET = 'a-secret-of-the-receiver';
const net = createOutbound({ allow: listOf([]), loopback: true });
const compose = (image: string) => `services:\n  web:\n    image: ${image}\n`;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', WEBHOOKS_TO_LOCALHOST: 'on' } });
  await server.register();
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  host = await insertHost(db, {});
  const made = await insertApp(db, { team_id: team.id, host, name: 'watched', compose: compose('nginx:1') });
  app = made.app;
  cvm_id = (await insertCvm(db, { ...made, host, change: { listed: true } })).id;
});
afterAll(async () => {
  await net.close();
  await server?.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  receiver.answer = echo;
  now = new Date();
  await server.services.db.deleteFrom('app_watches').execute();
  await list(true);
});
afterEach(() => receiver.close());

const echo: Receiver['answer'] = ({ body }, res) => {
  const { data } = JSON.parse(body) as { data: { challenge?: string } };
  if (data.challenge === undefined) res.writeHead(204).end();
  else res.end(JSON.stringify({ challenge: data.challenge }));
};
const ask = (url = receiver.url, secret = SECRET, app_id = app.app_id) =>
  server.anonymous.call('watchPublicAppByWebhook', { path: { app_id }, body: { url, secret } });
const list = (listed: boolean) =>
  server.services.db.updateTable('cvms').set({ listed }).where('id', '=', cvm_id).execute();
const watches = () => server.services.db.selectFrom('app_watches').selectAll().execute();

async function update(image: string): Promise<void> {
  const { db } = server.services;
  const revision = await insertRevision(db, {
    app,
    number: ++version,
    name: 'watched',
    compose: compose(image),
  });
  await db.updateTable('cvms').set({ revision_id: revision.id }).where('id', '=', cvm_id).execute();
}

/** Does the worker's part. */
async function tell(check = async (_app_id: string) => 'verified'): Promise<void> {
  const { db, mail: outbox, seal, log, config } = server.services;
  await notifyWatchers({ db, outbox, seal, log, public_url: config.publicUrl, check });
  if (now < new Date()) now = new Date();
  await send();
}
const send = () => {
  const { db, seal, log } = server.services;
  return sendWatchWebhooks({ db, seal, net, log, now: () => now });
};
const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
/** Backdates recent requests so that they no longer delay the next. */
const later = () =>
  server.services.db
    .updateTable('app_watches')
    .set({ told_at: new Date(Date.now() - 3_600_000) })
    .execute();

interface Told {
  event: string;
  data: Record<string, unknown> & { diff: string[]; unsubscribe_url: string };
}
const events = () => receiver.received.map(({ body }) => JSON.parse(body) as Told);
const told = () => events().filter(({ event }) => event !== 'watch.challenge');
const isSigned = ({ headers, body }: Received, secret = SECRET) => {
  const timestamp = String(headers['x-webhook-timestamp']);
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return headers['x-webhook-signature'] === `sha256=${mac}`;
};

describe('a receiver', () => {
  it('starts watching after answering a signed challenge', async () => {
    expect((await ask()).status).toBe(204);
    const [challenge] = receiver.received;
    expect(isSigned(challenge!)).toBe(true);
    expect(challenge!.headers['x-webhook-event']).toBe('watch.challenge');
    const [watch, ...others] = await watches();
    expect(others).toEqual([]);
    expect(watch?.confirmed_at).not.toBeNull();
    expect(JSON.stringify(watch)).not.toContain(SECRET);
  });

  it.each<[string, Receiver['answer']]>([
    ['answers 204 to everything', (_one, res) => void res.writeHead(204).end()],
    ['sends back what it got', ({ body }, res) => void res.end(body)],
    ['answers with an error', ({ body }, res) => void res.writeHead(500).end(body)],
    ['redirects', (_one, res) => void res.writeHead(302, { location: '/' }).end()],
    ['answers without end', (_one, res) => void res.end('x'.repeat(100_000))],
  ])('that %s is refused', async (_name, answer) => {
    receiver.answer = answer;
    const refused = await ask();
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('"field":"url"');
    expect(await watches()).toEqual([]);
  });

  it('is refused at private addresses, and for unpublished apps', async () => {
    for (const url of ['http://10.0.0.1/', 'https://169.254.169.254/latest', 'ftp://example.test/', 'x'])
      expect([url, (await ask(url)).status]).toEqual([url, 422]);
    expect((await ask(receiver.url, 'short')).status).toBe(422);
    await list(false);
    expect((await ask()).status).toBe(404);
    expect(receiver.received).toEqual([]);
  });

  it('gets the same answer for a private address and a nonexistent name', async () => {
    const answers = await Promise.all(
      ['https://10.0.0.1/', 'https://169.254.169.254/', 'https://no-such-name.invalid/'].map(
        async (url) => (await ask(url)).body,
      ),
    );
    for (const body of answers) {
      expect(JSON.stringify(body)).toContain('its host must have a public address');
      expect(JSON.stringify(body)).not.toMatch(/private network|no-such-name/);
    }
  });

  it('gets a new secret by answering another challenge', async () => {
    await ask();
    await ask(receiver.url, 'another-secret-of-the-receiver');
    expect(await watches()).toHaveLength(1);
    await update('nginx:2');
    await tell();
    expect(isSigned(receiver.received.at(-1)!, 'another-secret-of-the-receiver')).toBe(true);
  });
});

describe('a change', () => {
  it('is sent once, signed, with the diff, both hashes and the result of a verification', async () => {
    await update('nginx:3');
    await ask();
    await tell();
    expect(told()).toEqual([]);
    await update('nginx:4');
    await tell();
    await tell();
    const [change, ...others] = told();
    expect(others).toEqual([]);
    expect(isSigned(receiver.received.at(-1)!)).toBe(true);
    expect(change).toMatchObject({
      event: 'app.changed',
      version: '1',
      data: { app_id: app.app_id, app_name: 'watched', check: 'verified' },
    });
    expect(change!.data.diff).toEqual(
      expect.arrayContaining(['-     image: nginx:3', '+     image: nginx:4']),
    );
    const { before, after } = change!.data as unknown as Record<'before' | 'after', { compose_hash: string }>;
    expect(before.compose_hash).not.toBe(after.compose_hash);
  });

  it('that unpublishes or republishes the app is sent too', async () => {
    await ask();
    await list(false);
    await tell();
    await list(true);
    await later();
    await tell();
    expect(told().map(({ event, data }) => [event, data.after === null, data.before === null])).toEqual([
      ['app.unpublished', true, false],
      ['app.published', false, true],
    ]);
  });

  it('is retried with the same ID, and ends the watch after the last attempt', async () => {
    await ask();
    receiver.received.length = 0;
    receiver.answer = (_one, res) => void res.writeHead(503).end();
    await update('nginx:5');
    await tell();
    for (const seconds of WATCH_RETRY_SECONDS) {
      const tried = receiver.received.length;
      pass(seconds - 1);
      await send();
      expect(receiver.received).toHaveLength(tried);
      expect(await watches()).toHaveLength(1);
      pass(2);
      await send();
      expect(receiver.received).toHaveLength(tried + 1);
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    expect(await watches()).toEqual([]);
    const row = await server.services.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'app_watch.drop_webhook')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(row.after).toMatchObject({ reason: 'failed' });
  });

  it('during an outage is sent once the receiver is back', async () => {
    await ask();
    receiver.answer = (_one, res) => void res.writeHead(503).end();
    await update('nginx:6');
    await tell();
    await update('nginx:7');
    receiver.answer = echo;
    pass(60);
    await send();
    await later();
    await tell();
    expect(told().at(-1)!.data.diff).toContain('+     image: nginx:7');
    expect(await watches()).toMatchObject([{ tries: 0, body: null }]);
  });
});

/** Adds due webhooks of one app, to separate hosts or a single one. */
const due = (app_id: number, count: number, host = `'host' || n || '.example.test'`) =>
  server.database.pool.query(
    `insert into app_watches (public_id, app_id, app_name, url, sealed_secret, confirmed_at, event_id, event, body, next_attempt_at)
    select 'wtc_' || $1::bigint || '_' || n, $1::bigint, 'app', 'https://' || ${host} || '/' || n, $3, now(), 'evt_' || n, 'app.changed', '{}',
      now() - interval '1 minute' + n * interval '1 second'
    from generate_series(1, $2) n`,
    [app_id, count, sealWatchSecret(server.services.seal, SECRET)],
  );

describe('many deliveries', () => {
  /** Returns the number sent, by app. */
  async function run(): Promise<Record<number, number>> {
    const { db, seal, log } = server.services;
    const before = await watches();
    await sendWatchWebhooks({ db, seal, log, net: { ...net, status: async () => 204 }, now: () => now });
    const left = new Set((await watches()).flatMap(({ id, body }) => (body === null ? [] : [id])));
    const sent: Record<number, number> = {};
    for (const { id, app_id, body } of before)
      if (body !== null && !left.has(id)) sent[app_id] = (sent[app_id] ?? 0) + 1;
    return sent;
  }

  it('are shared fairly among teams and their apps in each run', async () => {
    const other = await identityOf(server.services.db, (await server.register()).email!);
    const [second, third] = [
      await insertApp(server.services.db, { team_id: app.team_id, host, name: 'second' }),
      await insertApp(server.services.db, { team_id: other.team_id, host, name: 'third' }),
    ];
    await due(app.id, 900);
    await due(second.app.id, 3);
    await due(third.app.id, 3);
    now = new Date(Date.now() + 3_600_000);
    expect(await run()).toEqual({ [app.id]: 29, [second.app.id]: 3, [third.app.id]: 3 });
    expect(await run()).toEqual({ [app.id]: 32 });
  });

  it('are shared fairly among host names in each run', async () => {
    await due(app.id, 30, `'one.example.test'`);
    now = new Date(Date.now() + 3_600_000);
    expect(await run()).toEqual({ [app.id]: 16 });
    expect(await run()).toEqual({ [app.id]: 14 });
  });
});

describe('an app takes webhooks', () => {
  const another = (name: string) => ask(`${receiver.url}?${name}`);

  it('up to 1,000', async () => {
    await due(app.id, 999);
    expect((await another('a')).status).toBe(204);
    expect((await another('b')).status).toBe(429);
    // A receiver already watching gets its new secret.
    expect((await another('a')).status).toBe(204);
  });

  it('up to 20 per host name, across ports', async () => {
    await due(app.id, 19, `'${new URL(receiver.url).hostname}:' || (10000 + n)`);
    expect((await another('a')).status).toBe(204);
    expect((await another('b')).status).toBe(429);
  });

  it('up to 20 per IPv6 address', async () => {
    await due(app.id, 20, `'[2001:db8::1]:' || (10000 + n)`);
    const add = (url: string) =>
      withTransaction(server.services.db, (trx) =>
        addWebhookWatch(trx, { app_id: app.id, app_name: 'watched', url, sealed_secret: 'sealed' }),
      );
    expect(await add('https://[2001:db8::1]/hook')).toBe('full');
    expect(await add('https://[2001:db8::2]/hook')).toBe('added');
  });

  it('separately from mail addresses, which keep their quota', async () => {
    await due(app.id, 1_000);
    await server.database.pool.query(
      `insert into app_watches (public_id, app_id, app_name, email, confirmed_at)
      select 'wtc_mail_' || n, $1, 'watched', 'watcher-' || n || '@example.test', now() from generate_series(1, 4999) n`,
      [app.id],
    );
    const askByMail = (email: string) =>
      server.anonymous.call('watchPublicApp', { path: { app_id: app.app_id }, body: { email } });
    const addresses = async () => (await watches()).filter(({ email }) => email !== null).length;
    expect((await askByMail('last@example.test')).status).toBe(204);
    expect(await addresses()).toBe(5_000);
    await server.services.db.updateTable('app_watches').set({ confirmed_at: new Date() }).execute();
    // The answer is the same beyond the limit.
    expect((await askByMail('late@example.test')).status).toBe(204);
    expect(await addresses()).toBe(5_000);
  });
});

describe('the watch ends', () => {
  const drops = async () => {
    const rows = await server.services.db
      .selectFrom('audit_log')
      .select(['actor_kind', 'target_id', 'after'])
      .where('action', '=', 'app_watch.drop_webhook')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    return rows[0];
  };

  it('when the receiver answers 410, as audited', async () => {
    await ask();
    const [watch] = await watches();
    receiver.answer = (_one, res) => void res.writeHead(410).end();
    await update('nginx:8');
    await tell();
    expect(await watches()).toEqual([]);
    expect(await drops()).toEqual({
      actor_kind: 'system',
      target_id: app.app_id,
      after: { watch: watch?.public_id, host: new URL(receiver.url).host, reason: 'gone' },
    });
  });

  it('with a POST to the address in each request', async () => {
    await ask();
    await update('nginx:9');
    await tell();
    const { pathname, search } = new URL(told().at(-1)!.data.unsubscribe_url);
    expect((await fetch(server.url + pathname + search, { method: 'POST' })).status).toBe(204);
    expect(await watches()).toEqual([]);
  });
});

it('notifies watchers of one app while the guests of another don’t answer', async () => {
  const { db } = server.services;
  const made = await insertApp(db, { team_id: app.team_id, host, name: 'later' });
  await insertCvm(db, { ...made, host, change: { listed: true } });
  for (const { app_id } of [app, made.app])
    expect((await ask(receiver.url, SECRET, app_id)).status).toBeLessThan(300);
  await db.updateTable('app_watches').set({ seen_os_image: 'another' }).execute();
  let answer = (_badge: string) => {};
  const silent = new Promise<string>((resolve) => (answer = resolve));
  const telling = tell((app_id) => (app_id === app.app_id ? silent : Promise.resolve('verified')));
  const isTold = async () =>
    (await watches()).some((one) => one.app_id === made.app.id && one.seen_os_image !== 'another');
  try {
    await eventually('the watcher of the later app is notified', isTold, 10);
  } finally {
    answer('verified');
    await telling;
  }
  expect(told()).toHaveLength(2);
});
