import { parseWebhookEvent } from '@phala/cloud/webhook';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { insertDelivery } from '../../../db/webhooks/webhookDeliveries';
import type { WebhookDeliveryRow } from '../../../db/webhooks/webhookDeliveriesTable';
import type { WebhookRow } from '../../../db/webhooks/webhooksTable';
import { listOf, type OutboundPolicy } from '../../../domain/core/outbound';
import { createSeal } from '../../../domain/core/seal';
import { newEventId, webhookBody } from '../../../domain/webhooks/webhook';
import type { Resolve } from '../../../drivers/net/checkedAddresses';
import { createOutbound } from '../../../drivers/net/outbound';
import { createLogger } from '../../../log';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { insertTeam, insertTestWebhook, type TestTeam } from '../../../testing/teamFixtures';
import { startReceiver, type Received, type Receiver } from '../../../testing/webhookReceiver';
import { createWebhookSender, type WebhookSender } from '../../webhooks/sendWebhook';
import { newWorkerId } from '../workerId';

export const seal = createSeal(Buffer.from('s'.repeat(40)));
const log = createLogger('silent');
const LOCAL: OutboundPolicy = { allow: listOf([]), loopback: true };

export let database: TestDatabase;
export let receiver: Receiver;
export let team: TestTeam;
export let at = new Date();
let teams = 0;
export const ending: (() => Promise<unknown>)[] = [];
/** Called by each test file. Sets up its own database, and a receiver and a team for every test. */
export function prepareDeliveries(): void {
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
}

export function sender(
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
export const pass = (seconds: number) => (at = new Date(at.getTime() + seconds * 1000));
export const run = async (one: WebhookSender) => {
  await one.sweep();
  await one.idle();
};
export const hook = (url = receiver.url, of = team) =>
  insertTestWebhook(database.db, seal, { team: of, url });
export function queue(webhook: WebhookRow, test = false): Promise<WebhookDeliveryRow> {
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
export const row = ({ id }: WebhookDeliveryRow) =>
  database.db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
export const webhookRow = ({ id }: WebhookRow) =>
  database.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
export const events = async () =>
  (
    await database.db
      .selectFrom('events')
      .select('kind')
      .where('team_id', '=', team.id)
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind);
export const verified = (secret: string) => (one: Received) =>
  parseWebhookEvent({ headers: one.headers, body: one.body, secret });
/** Behaves like an Express handler with the published verifier: its error is a 500. */
export const verifying = (secret: () => string): Receiver['answer'] => {
  return (one, res) => {
    try {
      verified(secret())(one);
      res.writeHead(200).end();
    } catch {
      res.writeHead(500).end();
    }
  };
};
