import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendWatchWebhooks } from '../../jobs/public/sendWatchWebhooks';
import { tellWatchers } from '../../jobs/public/tellWatchers';
import { createOutbound } from '../../drivers/net/outbound';
import { listOf } from '../../domain/core/outbound';
import { WATCH_RETRY_SECONDS } from '../../domain/public/watchEvent';
import { insertApp, insertCvm, insertHost, insertRevision, type TestApp } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';
import { startReceiver, type Received, type Receiver } from '../../testing/webhookReceiver';

/** Receivers that watch a published app: registered by a challenge, told of changes, ended by failures or on request. */
let server: TestServer;
let receiver: Receiver;
let app: TestApp['app'];
let cvm_id: number;
let version = 1;
/** Moved by tests of retries. */
let now = new Date();

const SECRET = 'a-secret-of-the-receiver';
const net = createOutbound({ allow: listOf([]), loopback: true });
const compose = (image: string) => `services:\n  web:\n    image: ${image}\n`;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', WEBHOOKS_TO_LOCALHOST: 'on' } });
  await server.register();
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, {});
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

/** As the worker does. */
async function tell(): Promise<void> {
  const { db, mail: outbox, seal, log, config } = server.services;
  const check = async () => 'verified';
  await tellWatchers({ db, outbox, seal, log, public_url: config.publicUrl, check });
  if (now < new Date()) now = new Date();
  await send();
}
const send = () => {
  const { db, seal, log } = server.services;
  return sendWatchWebhooks({ db, seal, net, log, now: () => now });
};
const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
/** Requests of the last minutes no longer delay the next. */
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
  it('watches once it has answered a signed challenge', async () => {
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

  it('is refused at private addresses, and for apps that are not published', async () => {
    for (const url of ['http://10.0.0.1/', 'https://169.254.169.254/latest', 'ftp://example.test/', 'x'])
      expect([url, (await ask(url)).status]).toEqual([url, 422]);
    expect((await ask(receiver.url, 'short')).status).toBe(422);
    await list(false);
    expect((await ask()).status).toBe(404);
    expect(receiver.received).toEqual([]);
  });

  it('gets a new secret by answering again', async () => {
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

  it('that ends or renews the publication is sent too', async () => {
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

  it('is repeated with the same ID, and ends the watch after the last attempt', async () => {
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
  });

  it('during a failure is sent once the receiver is back', async () => {
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

describe('the watch ends', () => {
  it('when the receiver answers 410', async () => {
    await ask();
    receiver.answer = (_one, res) => void res.writeHead(410).end();
    await update('nginx:8');
    await tell();
    expect(await watches()).toEqual([]);
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
