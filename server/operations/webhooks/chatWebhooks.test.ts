import { parseWebhookEvent } from '@phala/cloud/webhook';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Webhook, WebhookDelivery, WebhookPatch } from '../../../generated/api/types.gen';
import { addTeamEvents, feedTeam } from '../../db/activity/eventFeed';
import { withTransaction } from '../../db/core/client';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import { insertTestWebhook } from '../../testing/teamFixtures';
import { startReceiver, type Received, type Receiver } from '../../testing/webhookReceiver';
import {
  addMember,
  auditOf,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  INVALID,
  registerUser,
  type TestMember,
} from '../teams/testing/members';

const slug = 'chatty';
const FORMATS = ['events', 'slack', 'discord'] as const;

let server: TestServer;
let receiver: Receiver;
let owner: TestMember;
let team_id: number;
beforeAll(async () => {
  server = await startTestServer({ env: { WEBHOOKS_TO_LOCALHOST: 'on' } });
  receiver = await startReceiver();
  owner = await registerUser(server);
  await owner.client.call('createWorkspace', { body: { name: 'Chatty <!channel>', slug } });
  const team = await db().selectFrom('teams').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
  team_id = team.id;
});
afterAll(async () => {
  await receiver.close();
  await server.stop();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = (_one, res) => void res.writeHead(200).end('ok');
  await db().deleteFrom('webhooks').execute();
});

const db = () => server.services.db;
const own = () => owner.client.with({ 'x-workspace': slug });
const at = ({ id }: Pick<Webhook, 'id'>) => ({ path: { webhook_id: id } });
/** Like Slack's, whose path is the secret. */
const secretUrl = () => receiver.url.replace('/hook', '/services/T000/B000/secretpart?thread=secretquery');
const create = (body: object) =>
  own().call('createWebhook', { body: { url: secretUrl(), events: ['budget.alert'], ...body } });
async function made(body: object): Promise<Webhook> {
  const answer = await create(body);
  expect(codeOf(answer)).toBe('201');
  return answer.body as Webhook;
}
const change = async (webhook: Webhook, body: WebhookPatch) => {
  const answer = await own().call('updateWebhook', { ...at(webhook), body });
  expect(codeOf(answer)).toBe('200');
  return answer.body as Webhook;
};
const arrived = (count: number) =>
  eventually<Received[]>(`${count} arrived`, async () =>
    receiver.received.length >= count ? receiver.received : undefined,
  );
const MESSAGE = '$8.00 of $10.00 is used: 80% of the monthly team budget.';
const budgetAlert = () =>
  addTeamEvents(db(), [
    {
      team_id,
      kind: 'budget.alert',
      severity: 'warning',
      message: MESSAGE,
      data: { budget_id: 'bud_1', title: 'The monthly team budget reached 80%' },
    },
  ]);
const page = (path: string) => server.services.config.publicUrl + path;
const parsed = ({ body }: Received) => JSON.parse(body) as unknown;

describe('a webhook’s format', () => {
  it('defaults to events, for new and existing webhooks', async () => {
    expect(await made({})).toMatchObject({ format: 'events' });
    await db().deleteFrom('webhooks').execute();
    const { webhook } = await insertTestWebhook(db(), server.services.seal, {
      team: { id: team_id, slug, name: 'Chatty' },
      url: receiver.url,
      events: ['budget.alert'],
    });
    expect((await own().call('getWebhook', at({ id: webhook.public_id }))).body.format).toBe('events');
    expect(codeOf(await create({ format: 'teams' }))).toBe(INVALID);
    expect(codeOf(await create({ format: null }))).toBe(INVALID);
  });

  it.each(FORMATS)('can be set to %s when creating and updating', async (format) => {
    const webhook = await made({ format });
    expect(webhook.format).toBe(format);
    const other = await made({});
    expect(await change(other, { format })).toMatchObject({ format, url: secretUrl() });
    // If omitted, it stays unchanged.
    expect(await change(other, { name: 'Alerts' })).toMatchObject({ format, name: 'Alerts' });
    expect((await own().call('listWebhooks')).body.map((one) => one.format)).toEqual([format, format]);
  });

  it('is part of the ETag', async () => {
    const webhook = await made({});
    await change(webhook, { format: 'slack' });
    const stale = await own()
      .with({ 'if-match': webhook.etag })
      .call('updateWebhook', { ...at(webhook), body: { name: 'mine' } });
    expect(stale.status).toBe(412);
    expect(JSON.stringify(stale.body)).toContain('"format"');
  });

  it('drops deliveries pending in the former format when changed', async () => {
    receiver.answer = (_one, res) => void res.writeHead(500).end();
    const webhook = await made({});
    await budgetAlert();
    await arrived(1);
    const states = async () =>
      (await own().call('listWebhookDeliveries', at(webhook))).body.items.map(({ state }) => state);
    expect(await states()).toEqual(['pending']);
    await change(webhook, { format: 'events' });
    expect(await states()).toEqual(['pending']);
    await change(webhook, { format: 'discord' });
    expect(await states()).toEqual(['cancelled']);
    // A chat would reject an event, so it is resent only in the format in which it was made.
    const [{ event_id } = { event_id: '' }] = (await own().call('listWebhookDeliveries', at(webhook))).body
      .items;
    const resend = () =>
      own()
        .call('resendWebhookDelivery', { path: { webhook_id: webhook.id, event_id } })
        .then(codeOf);
    expect(await resend()).toBe(CONFLICT);
    await change(webhook, { format: 'events' });
    expect(await resend()).toBe('202');
  });
});

describe('the payload', () => {
  it('for a budget is the event, or a sentence that mentions nobody', async () => {
    const hooks: Webhook[] = [];
    for (const format of FORMATS)
      hooks.push(await made({ format, url: receiver.url.replace('/hook', `/${format}`) }));
    await budgetAlert();
    const got = new Map((await arrived(3)).map((one) => [one.path, one]));
    const event = got.get('/events')!;
    const verified = parseWebhookEvent({
      headers: event.headers,
      body: event.body,
      secret: hooks[0]!.secret,
    });
    expect(verified).toEqual({
      id: event.headers['x-webhook-id'],
      event: 'budget.alert',
      version: '1',
      created_at: expect.any(String),
      workspace: { id: slug, name: 'Chatty <!channel>' },
      data: { cvm_id: null, cvm_name: null, app_id: null, status: 'alert', message: MESSAGE },
    });
    const link = page(`/cost?team=${slug}`);
    expect(parsed(got.get('/slack')!)).toEqual({ text: `Team “Chatty ‹!channel›”: ${MESSAGE} ${link}` });
    expect(parsed(got.get('/discord')!)).toEqual({
      content: `Team “Chatty ${String.raw`\<!channel\>`}”: ${MESSAGE} ${link}`,
      allowed_mentions: { parse: [] },
    });
    for (const { body } of got.values()) for (const { secret } of hooks) expect(body).not.toContain(secret);
  });

  it('for a debt states the amount due and where to settle it', async () => {
    await made({ format: 'slack', events: ['debt.alert', 'debt.settled'] });
    const of = { team_id, created_at: new Date() } as const;
    await withTransaction(db(), async (trx) => {
      const data = { debt_id: 'deb_1', stage: 'grace', title: 'Payment due' };
      await feedTeam(trx, {
        ...of,
        kind: 'debt.alert',
        severity: 'warning',
        message: '$5.00 is due.',
        data,
      });
      await feedTeam(trx, {
        ...of,
        kind: 'debt.settled',
        severity: 'info',
        message: 'It is settled.',
        data: {},
      });
    });
    const link = page(`/debt-settlement?team=${slug}`);
    expect((await arrived(2)).map(parsed)).toEqual([
      { text: `Team “Chatty ‹!channel›”: Payment due. $5.00 is due. ${link}` },
      { text: `Team “Chatty ‹!channel›”: It is settled. ${link}` },
    ]);
  });

  it('of a test says so, and is shown as sent', async () => {
    const webhook = await made({ format: 'discord' });
    const { event_id } = (await own().call('testWebhook', at(webhook))).body as WebhookDelivery;
    const [got] = await arrived(1);
    expect(parsed(got!)).toMatchObject({
      content: expect.stringMatching(/^This is a test for team “Chatty .*: A budget has reached/),
    });
    const { items } = (await own().call('listWebhookDeliveries', at(webhook))).body;
    expect(items.find((one) => one.event_id === event_id)?.payload).toEqual(parsed(got!));
  });
});

describe('a chat URL', () => {
  const hidden = () => `${new URL(receiver.url).origin}/…`;

  it('is not in the audit log, even when the format changes', async () => {
    const webhook = await made({ format: 'slack' });
    await change(webhook, { format: 'events', url: receiver.url });
    await change(webhook, { url: secretUrl() });
    await db().deleteFrom('webhooks').execute();
    const [created] = await auditOf(server, slug, 'webhook.create');
    expect(created).toMatchObject({ after: { format: 'slack', url: hidden() } });
    const [latest, first] = await auditOf(server, slug, 'webhook.update');
    const both = [latest, first];
    expect(both).toContainEqual(
      expect.objectContaining({
        before: expect.objectContaining({ format: 'slack', url: hidden() }),
        after: expect.objectContaining({ format: 'events', url: hidden() }),
      }),
    );
    expect(JSON.stringify([created, first, latest])).not.toContain('secretquery');
  });

  it('is shown in full only to callers with write access', async () => {
    const chat = await made({ format: 'slack' });
    const usual = await made({});
    const rows = await db().selectFrom('webhooks').selectAll().orderBy('id').execute();
    const urls = (writable: boolean) => rows.map((row) => webhookOut(row, { writable }).url);
    expect(urls(true)).toEqual([chat.url, usual.url]);
    expect(urls(false)).toEqual([hidden(), usual.url]);
    expect((await own().call('getWebhook', at(chat))).body.url).toBe(secretUrl());
    expect((await own().call('listWebhooks')).body.map(({ url }) => url)).toEqual([secretUrl(), secretUrl()]);
    const member = await addMember(server, slug, 'member');
    const answer = await member.client.with({ 'x-workspace': slug }).call('listWebhooks');
    expect(codeOf(answer)).toBe(FORBIDDEN);
  });
});

describe('the notice of a failing webhook', () => {
  it.each<[string, WebhookPatch | null]>([
    ['gets a new URL', { url: 'new' }],
    ['is turned on again', { enabled: true }],
    ['is turned off', { enabled: false }],
    ['is deleted', null],
  ])('ends when the webhook %s', async (_how, body) => {
    const webhook = await made({});
    await addTeamEvents(db(), [
      {
        team_id,
        kind: 'webhook.failed',
        severity: 'error',
        message: 'An event could not be delivered',
        data: { webhook_id: webhook.id },
      },
    ]);
    if (body?.enabled)
      await db()
        .updateTable('webhooks')
        .set({ enabled: false, disabled_reason: 'failures' })
        .where('public_id', '=', webhook.id)
        .execute();
    const notice = () =>
      db()
        .selectFrom('notifications')
        .select('resolved_at')
        .where('user_id', '=', owner.user_id)
        .where('subject', '=', `webhook:${webhook.id}`)
        .executeTakeFirst();
    expect(await eventually('the notice', notice)).toEqual({ resolved_at: null });
    if (body) await change(webhook, body.url ? { url: `${receiver.url}/new` } : body);
    else expect(codeOf(await own().call('deleteWebhook', at(webhook)))).toBe('204');
    expect((await notice())?.resolved_at).toBeInstanceOf(Date);
  });
});
