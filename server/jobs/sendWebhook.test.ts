import { parseWebhookEvent } from '@phala/cloud/webhook';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeWebhook } from '../db/webhooks';
import { insertDelivery } from '../db/webhookDeliveries';
import type { WebhookDeliveryRow, WebhookRow } from '../db/schemaWebhooks';
import { listOf, type OutboundPolicy } from '../domain/outbound';
import { createSeal } from '../domain/seal';
import { newEventId, newSecret, RETRY_SECONDS, secretHint, webhookBody } from '../domain/webhook';
import { sealWebhookSecret } from '../domain/webhookSecret';
import { createDnsDriver } from '../drivers/dns/resolver';
import { createOutbound, type Resolve } from '../drivers/net/outbound';
import { createLogger } from '../log';
import { createTestDatabase, type TestDatabase } from '../testing/database';
import { startDnsServer } from '../testing/dnsServer';
import { eventually } from '../testing/server';
import { insertTeam, insertTestWebhook, type TestTeam } from '../testing/teamFixtures';
import { startReceiver, type Received, type Receiver } from '../testing/webhookReceiver';
import { createWebhookSender, type WebhookSender } from './sendWebhook';
import { newWorkerId } from './workerId';

const seal = createSeal(Buffer.from('s'.repeat(40)));
const log = createLogger('silent');
const LOCAL: OutboundPolicy = { allow: listOf([]), loopback: true };

let database: TestDatabase;
let receiver: Receiver;
let team: TestTeam;
let at = new Date();
let teams = 0;
const ending: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  at = new Date();
  receiver = await startReceiver();
  team = await insertTeam(database.db, `team-${++teams}`);
});
afterEach(async () => {
  await receiver.close();
  for (const end of ending.splice(0)) await end();
  await database.db.deleteFrom('webhooks').execute();
});
afterAll(() => database.drop());

function sender(
  given: { owner?: string; policy?: OutboundPolicy; resolve?: Resolve; attempt_ms?: number } = {},
): WebhookSender {
  const net = createOutbound(given.policy ?? LOCAL, given.resolve);
  const made = createWebhookSender({
    db: database.db,
    seal,
    net,
    log,
    owner: given.owner ?? newWorkerId(),
    now: () => at,
    attempt_ms: given.attempt_ms ?? 2_000,
  });
  ending.push(async () => {
    await made.stop();
    await net.close();
  });
  return made;
}
const pass = (seconds: number) => (at = new Date(at.getTime() + seconds * 1000));
const run = async (one: WebhookSender) => {
  await one.sweep();
  await one.idle();
};
const hook = (url = receiver.url, of = team) => insertTestWebhook(database.db, seal, { team: of, url });
function queue(webhook: WebhookRow, test = false): Promise<WebhookDeliveryRow> {
  const event_id = newEventId();
  const data = { cvm_id: null, cvm_name: 'grüße 茶', app_id: null, status: 'running' };
  return database.db.transaction().execute((trx) =>
    insertDelivery(trx, {
      webhook_id: webhook.id,
      event_id,
      event: 'cvm.created',
      test,
      body: webhookBody({ event_id, event: 'cvm.created', at, team, data }),
      next_attempt_at: at,
    }),
  );
}
const row = ({ id }: WebhookDeliveryRow) =>
  database.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const webhookRow = ({ id }: WebhookRow) =>
  database.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const events = async () =>
  (
    await database.db
      .selectFrom('events')
      .select('kind')
      .where('team_id', '=', team.id)
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind);
const verified = (secret: string) => (one: Received) =>
  parseWebhookEvent({ headers: one.headers, body: one.body, secret });
/** As an Express handler that uses the published verifier ends: its error is a 500. */
const verifying = (secret: () => string): Receiver['answer'] => {
  return (one, res) => {
    try {
      verified(secret())(one);
      res.writeHead(200).end();
    } catch {
      res.writeHead(500).end();
    }
  };
};

describe('a delivery', () => {
  it('is one the published verifier accepts, with the headers the service documents', async () => {
    const { webhook, secret } = await hook();
    const delivery = await queue(webhook);
    await run(sender());
    const [got] = receiver.received;
    expect(verified(secret)(got!)).toMatchObject({
      id: delivery.event_id,
      event: 'cvm.created',
      version: '1',
      workspace: { id: team.slug, name: team.name },
      data: { cvm_name: 'grüße 茶', status: 'running' },
    });
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'PhalaCloud-Webhook/1.0',
      'x-webhook-id': delivery.event_id,
      'x-webhook-event': 'cvm.created',
    });
    expect(delivery.event_id).toMatch(/^evt_[0-9a-f]{16}$/);
    expect(() => verified(newSecret())(got!)).toThrow('Invalid webhook signature');
    expect(await row(delivery)).toMatchObject({ state: 'delivered', tries: 1, next_attempt_at: null });
    expect((await row(delivery)).attempts).toMatchObject([{ status: 204, error: null, message: null }]);
  });

  it('is tried four times, after a minute, ten minutes and an hour, as the same event', async () => {
    receiver.answer = (_one, res) => void res.writeHead(503).end('the cause, in secret words');
    const { webhook, secret } = await hook();
    const delivery = await queue(webhook);
    const one = sender();
    await run(one);
    for (const seconds of RETRY_SECONDS) {
      const tried = receiver.received.length;
      const pending = await row(delivery);
      expect(pending.state).toBe('pending');
      expect(pending.next_attempt_at!.getTime() - at.getTime()).toBe(seconds * 1000);
      pass(seconds - 1);
      await run(one);
      expect(receiver.received).toHaveLength(tried);
      pass(1);
      await run(one);
      expect(receiver.received).toHaveLength(tried + 1);
    }
    const failed = await row(delivery);
    expect(failed).toMatchObject({ state: 'failed', tries: 4, next_attempt_at: null });
    expect(failed.attempts.map(({ status, error }) => [status, error])).toEqual(
      Array(4).fill([503, 'status']),
    );
    expect(JSON.stringify(failed)).not.toContain('secret words');
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    // Each is signed for its own time, so that the last is as fresh as the first.
    const times = receiver.received.map(({ headers }) => Number(headers['x-webhook-timestamp']));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 60, 660, 4260]);
    expect(() =>
      parseWebhookEvent({ ...receiver.received[3]!, secret, toleranceSeconds: 5000 }),
    ).not.toThrow();
    pass(100_000);
    await run(one);
    expect(receiver.received).toHaveLength(4);
    expect(await events()).toEqual(['webhook.failed']);
    receiver.answer = (_request, res) => void res.writeHead(200).end();
    await queue(webhook);
    await run(one);
    expect(await events()).toEqual(['webhook.failed', 'webhook.recovered']);
    expect(await webhookRow(webhook)).toMatchObject({ failing_since: null, failures: 0 });
  });

  it('follows no redirect', async () => {
    const inside = await startReceiver();
    ending.push(() => inside.close());
    receiver.answer = (_one, res) => void res.writeHead(302, { location: inside.url }).end();
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    expect(inside.received).toEqual([]);
    expect((await row(delivery)).attempts).toMatchObject([{ status: 302, error: 'redirect' }]);
  });

  it.each<[string, Receiver['answer']]>([
    ['hangs', () => undefined],
    [
      'sends its head a byte at a time',
      (_one, res) => {
        const text = 'HTTP/1.1 200 OK\r\nx-padding: ';
        let sent = 0;
        const timer = setInterval(() => res.socket?.write(text[sent++] ?? 'x'), 20);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('does not wait for a receiver that %s', async (_name, answer) => {
    receiver.answer = answer;
    const delivery = await queue((await hook()).webhook);
    await run(sender({ attempt_ms: 400 }));
    const [attempt] = (await row(delivery)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'timeout' });
    expect(attempt!.duration_ms).toBeLessThan(2_000);
  });

  it('reads nothing of a reply of ten megabytes, or of one that never ends', async () => {
    let written = 0;
    receiver.answer = (_one, res) => {
      res.writeHead(200);
      const write = () => {
        while (!res.destroyed && written < 10_000_000 && res.write(Buffer.alloc(65_536))) written += 65_536;
      };
      res.on('drain', write);
      write();
    };
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    expect(await row(delivery)).toMatchObject({ state: 'delivered' });
    // What fits into the buffers between both ends, no more.
    expect(written).toBeLessThan(8_000_000);
  });

  it('says that nobody listens, and why', async () => {
    await receiver.close();
    const delivery = await queue((await hook()).webhook);
    await run(sender());
    const [attempt] = (await row(delivery)).attempts;
    expect(attempt).toMatchObject({ status: null, error: 'unreachable' });
    expect(attempt!.message).toContain('refuses connections');
  });
});

describe('an address that leads inside', () => {
  const strict: OutboundPolicy = { allow: listOf([]), loopback: false };

  it('is refused at sending, though DNS answered otherwise when it was saved', async () => {
    const dns = await startDnsServer();
    ending.push(() => dns.close());
    const driver = createDnsDriver([dns.address]);
    const resolve: Resolve = async (host) =>
      (await driver.resolveAddresses(host)).map((address) => ({ address, family: 4 }));
    const url = new URL(`https://rebinding.example.test:${receiver.port}/hook`);
    const net = createOutbound(strict, resolve);
    ending.push(() => net.close());
    dns.set('rebinding.example.test', { type: 'A', value: '93.184.216.34' });
    await net.check(url);
    dns.set('rebinding.example.test', { type: 'A', value: '127.0.0.1' });
    const delivery = await queue((await hook(url.href)).webhook);
    await run(sender({ policy: strict, resolve }));
    expect((await row(delivery)).attempts).toMatchObject([{ status: null, error: 'refused' }]);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'http://93.184.216.34/',
  ])('is refused: %s', async (url) => {
    const delivery = await queue((await hook(url)).webhook);
    await run(sender({ policy: strict }));
    expect((await row(delivery)).attempts).toMatchObject([{ status: null, error: 'refused' }]);
  });
});

describe('a replaced secret', () => {
  it('goes over without a lost delivery, whenever the receiver changes', async () => {
    const { webhook, secret: former } = await hook();
    const latter = newSecret();
    let knows = former;
    receiver.answer = verifying(() => knows);
    const one = sender();
    await database.db.transaction().execute((trx) =>
      changeWebhook(trx, webhook.id, {
        sealed_secret: sealWebhookSecret(seal, latter),
        secret_hint: secretHint(latter),
        sealed_previous_secret: webhook.sealed_secret,
        previous_secret_until: new Date(at.getTime() + 3_600_000),
      }),
    );
    const early = await queue(webhook);
    await run(one);
    expect(await row(early)).toMatchObject({ state: 'delivered', tries: 1 });
    expect((await row(early)).attempts[0]!.message).toContain('former secret');
    // First with the new one, whose verifier minds no further header; then, being refused, with the old one.
    expect(() => verified(latter)(receiver.received[0]!)).not.toThrow();
    expect(receiver.received[0]!.headers['x-webhook-signature-previous']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);

    knows = latter;
    receiver.received.length = 0;
    const late = await queue(webhook);
    await run(one);
    expect(await row(late)).toMatchObject({ state: 'delivered' });
    expect(receiver.received).toHaveLength(1);

    // The overlap is over: who still has the old one only is told so by failures.
    pass(3_601);
    knows = former;
    const after = await queue(webhook);
    receiver.received.length = 0;
    await run(one);
    expect(await row(after)).toMatchObject({ state: 'pending', tries: 1 });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]!.headers['x-webhook-signature-previous']).toBeUndefined();
  });
});

describe('among many', () => {
  it('a slow receiver delays nobody else, and gets one request at a time', async () => {
    const slow = await startReceiver();
    ending.push(() => slow.close());
    let open = 0;
    let most = 0;
    slow.answer = (_one, res) => {
      most = Math.max(most, ++open);
      res.on('close', () => (open -= 1));
    };
    // A whole team of receivers that hang, more than it has places, and one of another team.
    const hanging = await Promise.all(Array.from({ length: 12 }, () => hook(slow.url)));
    for (const { webhook } of hanging) for (let i = 0; i < 3; i++) await queue(webhook);
    const other = await insertTeam(database.db, `other-${teams}`);
    const { webhook } = await hook(receiver.url, other);
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => queue(webhook)));
    const both = [sender({ owner: 'a-1-x' }), sender({ owner: 'b-1-x' })];
    const began = Date.now();
    await Promise.all(both.map((one) => one.sweep()));
    await eventually('the other team has everything', async () => receiver.received.length === 5, 5);
    expect(Date.now() - began).toBeLessThan(1_500);
    expect(await Promise.all(deliveries.map(async (one) => (await row(one)).state))).not.toContain('failed');
    await Promise.all(both.map((one) => one.idle()));
    // Of twelve receivers at one address, five are called at once: one request for each.
    expect(most).toBeLessThanOrEqual(10);
    expect(receiver.received).toHaveLength(5);
  });

  it('each delivery is made once, however many processes there are', async () => {
    const { webhook } = await hook();
    const deliveries = [];
    for (let i = 0; i < 12; i++) deliveries.push(await queue(webhook));
    // On three machines: of its own, a process would know the others dead, as all have its number.
    const all = ['a-1-x', 'b-1-x', 'c-1-x'].map((owner) => sender({ owner }));
    for (let i = 0; i < 3; i++) await Promise.all(all.map(run));
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual(
      deliveries.map(({ event_id }) => event_id),
    );
  });

  it('goes on where a killed process stopped, with the same id', async () => {
    const [machine] = newWorkerId().split('-');
    let dead = false;
    receiver.answer = (_one, res) => {
      // It has the event; the process that sent it dies before it reads the answer.
      if (dead) res.writeHead(200).end();
      dead = true;
    };
    const { webhook } = await hook();
    const delivery = await queue(webhook);
    const killed = sender({ owner: `${machine}-999999999-killed`, attempt_ms: 60_000 });
    await killed.sweep();
    await eventually('it was sent', async () => receiver.received.length === 1);
    await run(sender());
    expect(await row(delivery)).toMatchObject({ state: 'delivered' });
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual([
      delivery.event_id,
      delivery.event_id,
    ]);
    expect(receiver.received[0]!.body).toBe(receiver.received[1]!.body);
  });

  it('takes over after the lease where the other machine is out of sight', async () => {
    const { webhook } = await hook();
    await queue(webhook);
    await sql`update webhooks set lease_owner = 'elsewhere-1-x', lease_until = ${new Date(at.getTime() + 30_000)}
      where id = ${webhook.id}`.execute(database.db);
    const one = sender();
    await run(one);
    expect(receiver.received).toEqual([]);
    pass(31);
    await run(one);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a webhook', () => {
  it('that is deleted or switched off gets nothing more, though tries were due', async () => {
    receiver.answer = (_one, res) => void res.writeHead(500).end();
    const { webhook } = await hook();
    await queue(webhook);
    const one = sender();
    await run(one);
    await database.db.deleteFrom('webhooks').where('id', '=', webhook.id).execute();
    const { webhook: off } = await hook();
    await queue(off);
    await sql`update webhooks set enabled = false, disabled_reason = 'person' where id = ${off.id}`.execute(
      database.db,
    );
    pass(10_000);
    await run(one);
    expect(receiver.received).toHaveLength(1);
    // But one can test it before it is switched on.
    const test = await queue(off, true);
    await run(one);
    expect(await row(test)).toMatchObject({ state: 'failed', tries: 1 });
    expect((await webhookRow(off)).failures).toBe(0);
  });

  it('that took nothing for days is switched off, and its team is told', async () => {
    receiver.answer = (_one, res) => void res.writeHead(404).end();
    const { webhook } = await hook();
    const one = sender();
    for (let day = 0; day < 4; day++) {
      await queue(webhook);
      await queue(webhook);
      for (const seconds of [0, ...RETRY_SECONDS]) {
        pass(seconds);
        await run(one);
      }
      if (day < 3) expect(await webhookRow(webhook)).toMatchObject({ enabled: true });
      pass(86_400);
    }
    expect(await webhookRow(webhook)).toMatchObject({ enabled: false, disabled_reason: 'failures' });
    expect(await events()).toEqual(['webhook.failed', 'webhook.disabled']);
  });
});
