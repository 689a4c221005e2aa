import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeWebhook } from '../../db/webhooks/webhooks';
import { finishAttempt, leaseWebhooks, nextDelivery } from '../../db/webhooks/webhookSending';
import { newSecret, RETRY_SECONDS, secretHint } from '../../domain/webhooks/webhook';
import { sealWebhookSecret } from '../../domain/webhooks/webhookSecret';
import { eventually } from '../../testing/server';
import { insertTeam } from '../../testing/teamFixtures';
import { startReceiver } from '../../testing/webhookReceiver';
import { newWorkerId } from '../core/workerId';
import {
  prepareDeliveries,
  ending,
  database,
  receiver,
  team,
  at,
  seal,
  sender,
  pass,
  run,
  hook,
  queue,
  row,
  webhookRow,
  events,
  verified,
  verifying,
} from '../core/testing/deliveries';

prepareDeliveries();

describe('a rotated secret', () => {
  it('loses no delivery, whenever the receiver switches', async () => {
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
    expect((await row(early)).attempts[0]!.message).toContain('previous secret');
    // First with the new secret, whose verifier ignores further headers; after a refusal, with the old one.
    expect(() => verified(latter)(receiver.received[0]!)).not.toThrow();
    expect(receiver.received[0]!.headers['x-webhook-signature-previous']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size).toBe(1);

    knows = latter;
    receiver.received.length = 0;
    const late = await queue(webhook);
    await run(one);
    expect(await row(late)).toMatchObject({ state: 'delivered' });
    expect(receiver.received).toHaveLength(1);

    // The overlap is over: a receiver with only the old secret now sees failures.
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

describe('many webhooks', () => {
  it('a slow receiver gets one request at a time and delays no other webhook', async () => {
    const slow = await startReceiver();
    ending.push(() => slow.close());
    let open = 0;
    let most = 0;
    slow.answer = (_one, res) => {
      most = Math.max(most, ++open);
      res.on('close', () => (open -= 1));
    };
    // A whole team of hanging receivers, more than its slots, and one of another team.
    const hanging = await Promise.all(Array.from({ length: 12 }, () => hook(slow.url)));
    for (const { webhook } of hanging) for (let i = 0; i < 3; i++) await queue(webhook);
    const other = await insertTeam(database.db, `other-${team.slug}`);
    const { webhook } = await hook(receiver.url, other);
    const deliveries = await Promise.all(Array.from({ length: 5 }, () => queue(webhook)));
    const both = [sender({ owner: 'a-1-x' }), sender({ owner: 'b-1-x' })];
    await Promise.all(both.map((one) => one.sweep()));
    await eventually('the other team has everything', async () => receiver.received.length === 5);
    // No delivery waited for a slow one: those are still open.
    expect(open).toBeGreaterThan(0);
    expect(await Promise.all(deliveries.map(async (one) => (await row(one)).state))).not.toContain('failed');
    await Promise.all(both.map((one) => one.idle()));
    // Of twelve receivers at one address, five are called concurrently: one request for each.
    expect(most).toBeLessThanOrEqual(10);
    expect(receiver.received).toHaveLength(5);
  });

  it('each delivery is sent once, no matter how many processes there are', async () => {
    const { webhook } = await hook();
    const deliveries = [];
    for (let i = 0; i < 12; i++) deliveries.push(await queue(webhook));
    // On three machines: on one machine, a process would consider the others dead, because all have its process
    // ID.
    const all = ['a-1-x', 'b-1-x', 'c-1-x'].map((owner) => sender({ owner }));
    for (let i = 0; i < 3; i++) await Promise.all(all.map(run));
    expect(receiver.received.map(({ headers }) => headers['x-webhook-id'])).toEqual(
      deliveries.map(({ event_id }) => event_id),
    );
  });

  it('continues where a killed process stopped, with the same ID', async () => {
    const [machine] = newWorkerId().split('-');
    let dead = false;
    receiver.answer = (_one, res) => {
      // The receiver has the event; the sending process dies before it reads the response.
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

  it('takes over after the lease when the other machine is unreachable', async () => {
    const { webhook } = await hook();
    await queue(webhook);
    await sql`update webhooks set lease_owner = 'elsewhere-1-x', lease_until = ${new Date(at.getTime() + 30_000)}
      where id = ${webhook.id}`.execute(database.db);
    const one = sender();
    await run(one);
    expect(receiver.received).toEqual([]);
    await sql`update webhooks set lease_until = now() - interval '1 second'`.execute(database.db);
    await run(one);
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps the result of a process that took over an expired lease', async () => {
    const answers: ServerResponse[] = [];
    receiver.answer = (_one, res) => void answers.push(res);
    const delivery = await queue((await hook()).webhook);
    const slow = sender({ owner: 'a-1-x', attempt_ms: 60_000 });
    await slow.sweep();
    await eventually('it was sent', async () => answers.length === 1);
    await sql`update webhooks set lease_until = now() - interval '1 second'`.execute(database.db);
    receiver.answer = (_one, res) => void res.writeHead(503).end();
    await run(sender({ owner: 'b-1-x' }));
    const recorded = await row(delivery);
    expect(recorded).toMatchObject({ state: 'pending', tries: 1, attempts: [{ status: 503 }] });
    answers[0]!.writeHead(204).end();
    await slow.idle();
    expect(await row(delivery)).toEqual(recorded);
  });

  it('records an attempt once, even if a process took its own expired lease again', async () => {
    const { db } = database;
    const { webhook } = await hook();
    const delivery = await queue(webhook);
    const owner = 'a-1-x';
    await leaseWebhooks(db, { owner, at, limit: 1, per_team: 1 });
    const [stuck, again] = [
      (await nextDelivery(db, webhook.id, owner, at))!,
      (await nextDelivery(db, webhook.id, owner, at))!,
    ];
    const attempt = {
      at: at.toISOString(),
      status: 503,
      error: 'status',
      message: null,
      duration_ms: 1,
    } as const;
    const next = new Date(at.getTime() + 60_000);
    expect(await finishAttempt(db, again, attempt, { owner, next, at })).toBe(true);
    const recorded = await row(delivery);
    expect(recorded).toMatchObject({ state: 'pending', tries: 1, attempts: [{ status: 503 }] });
    await finishAttempt(db, stuck, { ...attempt, status: 404 }, { owner, next: null, at });
    expect(await row(delivery)).toEqual(recorded);
    expect(await webhookRow(webhook)).toMatchObject({ failures: 0 });
  });

  it('a process whose clock is ahead does not take over what another is sending', async () => {
    receiver.answer = () => undefined;
    await queue((await hook()).webhook);
    const first = sender({ owner: 'a-1-x' });
    await first.sweep();
    await eventually('it was sent', async () => receiver.received.length === 1);
    pass(120);
    await run(sender({ owner: 'b-1-x' }));
    await first.idle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a webhook', () => {
  it('gets nothing more once deleted or turned off, even with attempts due', async () => {
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
    // It can still be tested before it is turned on.
    const test = await queue(off, true);
    await run(one);
    expect(await row(test)).toMatchObject({ state: 'failed', tries: 1 });
    expect((await webhookRow(off)).failures).toBe(0);
  });

  it('is turned off after accepting nothing for days, and its team is notified', async () => {
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
    // A test that succeeds doesn't mean that it accepts events again: it is still off.
    receiver.answer = (_one, res) => void res.writeHead(204).end();
    const test = await queue(webhook, true);
    await run(one);
    expect(await row(test)).toMatchObject({ state: 'delivered' });
    expect(await events()).toEqual(['webhook.failed', 'webhook.disabled']);
  });
});
