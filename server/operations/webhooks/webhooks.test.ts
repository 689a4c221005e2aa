import { parseWebhookEvent } from '@phala/cloud/webhook';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Webhook, WebhookDelivery } from '../../../generated/api/types.gen';
import { addEvent } from '../../db/activity/operations';
import { MAX_WEBHOOKS } from '../../domain/webhooks/webhook';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import { startReceiver, type Receiver } from '../../testing/webhookReceiver';
import {
  auditOf,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  INVALID,
  addMember,
  NOT_FOUND,
  registerUser,
  RATE_LIMITED,
  type TestMember,
} from '../teams/testing/members';

const FACTOR_NEEDED = '403 ERR-07-001';
const CONFIRMATION_NEEDED = '428 ERR-07-002';
const WEBHOOK_LIMIT = '409 ERR-07-003';

let server: TestServer;
let receiver: Receiver;
let owner: TestMember;
let stranger: TestMember;
const slug = 'hooked';
beforeAll(async () => {
  server = await startTestServer({ env: { WEBHOOKS_TO_LOCALHOST: 'on' } });
  receiver = await startReceiver();
  owner = await registerUser(server);
  stranger = await registerUser(server);
  await owner.client.call('createWorkspace', { body: { name: 'Hooked', slug } });
  await stranger.client.call('createWorkspace', { body: { name: 'Others', slug: 'others' } });
});
afterAll(async () => {
  await receiver.close();
  await server.stop();
});

const of = (who: TestMember, team = slug) => who.client.with({ 'x-workspace': team });
const create = (body: object = {}, who = owner) =>
  of(who).call('createWebhook', {
    body: { url: receiver.url, events: ['cvm.created', 'cvm.deleted'], ...body },
  });
async function made(body: object = {}): Promise<Webhook> {
  const answer = await create(body);
  expect(codeOf(answer)).toBe('201');
  return answer.body as Webhook;
}
const at = ({ id }: Pick<Webhook, 'id'>, more: Record<string, string> = {}) => ({
  path: { webhook_id: id, ...more },
});
const deliveries = async (webhook: Webhook) =>
  (await of(owner).call('listWebhookDeliveries', at(webhook))).body.items;
const ended = (webhook: Webhook, event_id: string) =>
  eventually<WebhookDelivery>('the delivery has ended', async () =>
    (await deliveries(webhook)).find((one) => one.event_id === event_id && one.state !== 'pending'),
  );
const withFactor = (who: TestMember) =>
  server.services.db
    .updateTable('users')
    .set({ second_factor_at: new Date() })
    .where('id', '=', who.user_id)
    .execute();
const confirmedAt = (who: TestMember, ago: string) =>
  sql`update sessions set confirmed_at = now() - ${ago}::interval where user_id = ${who.user_id}`.execute(
    server.services.db,
  );

describe('a webhook', () => {
  it('is created with a secret shown once, listed masked, updated and deleted, with audit entries', async () => {
    const webhook = await made({ name: '  Chat\u202e  ' });
    expect(webhook).toMatchObject({
      url: receiver.url,
      name: 'Chat',
      events: ['cvm.created', 'cvm.deleted'],
      enabled: true,
      previous_secret_until: null,
    });
    expect(webhook.id).toMatch(/^whk_/);
    expect(webhook.secret).toMatch(/^whsec_[\w-]{43}$/);
    const masked = `whsec_…${webhook.secret.slice(-4)}`;
    const list = (await of(owner).call('listWebhooks')).body;
    expect(list.find(({ id }) => id === webhook.id)).toEqual({ ...webhook, secret: masked });
    expect((await of(owner).call('getWebhook', at(webhook))).body).toEqual({ ...webhook, secret: masked });
    const changed = await of(owner).call('updateWebhook', {
      ...at(webhook),
      body: { name: null, enabled: false, events: ['cvm.started'] },
    });
    expect(changed.body).toMatchObject({
      name: null,
      url: receiver.url,
      events: ['cvm.started'],
      enabled: false,
      disabled_reason: 'person',
      secret: masked,
    });
    const { db } = server.services;
    const stored = JSON.stringify([
      await db.selectFrom('webhooks').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
      await db.selectFrom('idempotency_keys').selectAll().execute(),
    ]);
    expect(stored).not.toContain(webhook.secret);
    expect(codeOf(await of(owner).call('deleteWebhook', at(webhook)))).toBe('204');
    expect(codeOf(await of(owner).call('getWebhook', at(webhook)))).toBe(NOT_FOUND);
    for (const action of ['webhook.create', 'webhook.update', 'webhook.delete'])
      expect((await auditOf(server, slug, action))[0]).toMatchObject({
        target_id: webhook.id,
        actor_user_id: owner.user_id,
      });
  });

  it('accepts a custom secret that is long enough and on one line', async () => {
    const secret = 'correct-horse-battery-staple!';
    const webhook = await made({ secret });
    expect(webhook.secret).toBe(secret);
    expect((await of(owner).call('getWebhook', at(webhook))).body.secret).toBe('…ple!');
    for (const bad of ['short', 'with a blank in the middle of it', 'x'.repeat(129)])
      expect(codeOf(await create({ secret: bad }))).toBe(INVALID);
    await of(owner).call('deleteWebhook', at(webhook));
  });

  it('requires at least one known event, without duplicates', async () => {
    for (const events of [[], ['cvm.exploded'], undefined])
      expect(codeOf(await create({ events }))).toBe(INVALID);
    const webhook = await made({ events: ['cvm.started', 'cvm.started'] });
    expect(webhook.events).toEqual(['cvm.started']);
    await of(owner).call('deleteWebhook', at(webhook));
  });

  it('is managed by admins and owners, and hidden from other teams', async () => {
    const webhook = await made();
    for (const role of ['viewer', 'billing', 'member'] as const) {
      const who = await addMember(server, slug, role);
      expect(codeOf(await of(who).call('listWebhooks'))).toBe(FORBIDDEN);
      expect(codeOf(await create({}, who))).toBe(FORBIDDEN);
    }
    const admin = await addMember(server, slug, 'admin');
    expect(codeOf(await of(admin).call('getWebhook', at(webhook)))).toBe('200');
    const theirs = of(stranger, 'others');
    const event_id = 'evt_0000000000000000';
    expect(codeOf(await theirs.call('getWebhook', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('updateWebhook', { ...at(webhook), body: { enabled: false } }))).toBe(
      NOT_FOUND,
    );
    expect(codeOf(await theirs.call('deleteWebhook', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('testWebhook', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('listWebhookDeliveries', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('getWebhookStats', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('resendWebhookDelivery', at(webhook, { event_id })))).toBe(NOT_FOUND);
    await withFactor(stranger);
    expect(codeOf(await theirs.call('revealWebhookSecret', at(webhook)))).toBe(NOT_FOUND);
    expect(codeOf(await theirs.call('rotateWebhookSecret', at(webhook)))).toBe(NOT_FOUND);
    expect((await of(owner).call('getWebhook', at(webhook))).body.enabled).toBe(true);
  });

  it('is limited to twenty, even with concurrent creation', async () => {
    await server.services.db.deleteFrom('webhooks').execute();
    const answers = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 5 }, () => create()));
    expect(answers.map(codeOf).sort()).toEqual([
      ...Array(MAX_WEBHOOKS).fill('201'),
      ...Array(5).fill(WEBHOOK_LIMIT),
    ]);
    await server.services.db.deleteFrom('webhooks').execute();
  });
});

describe('deliveries', () => {
  it("are sent for the team's events, pass the published verifier and record their outcome", async () => {
    const { db } = server.services;
    const team = await db.selectFrom('teams').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
    const host = await insertHost(db);
    const app = await insertApp(db, { team_id: team.id, host, name: 'web' });
    const cvm = await insertCvm(db, { ...app, host });
    const webhook = await made();
    receiver.received.length = 0;
    await addEvent(db, { cvm, kind: 'deploy.succeeded', message: 'Deployed' });
    const got = await eventually('it arrived', async () => receiver.received[0]);
    const event = parseWebhookEvent({ headers: got.headers, body: got.body, secret: webhook.secret });
    expect(event).toMatchObject({
      event: 'cvm.created',
      workspace: { id: slug, name: 'Hooked' },
      data: { cvm_id: cvm.vm_uuid, cvm_name: cvm.name, app_id: app.app.app_id, status: 'running' },
    });
    const delivery = await ended(webhook, event.id);
    expect(delivery).toMatchObject({ state: 'delivered', test: false, payload: event });
    expect(delivery.attempts).toMatchObject([{ status: 204, error: null }]);

    const again = await of(owner).call('resendWebhookDelivery', at(webhook, { event_id: event.id }));
    expect([again.status, again.body]).toMatchObject([202, { event_id: event.id, state: 'pending' }]);
    const twice = await eventually('it arrived again', async () => receiver.received[1]);
    expect([twice.headers['x-webhook-id'], twice.body]).toEqual([event.id, got.body]);
    expect((await ended(webhook, event.id)).attempts).toHaveLength(2);
    expect((await of(owner).call('getWebhookStats', at(webhook))).body).toMatchObject({
      total: 1,
      delivered: 1,
      failed: 0,
      pending: 0,
      success_rate: 1,
      last_failure_at: null,
    });
    expect(
      codeOf(await of(owner).call('resendWebhookDelivery', at(webhook, { event_id: 'evt_nothing' }))),
    ).toBe(NOT_FOUND);
  });

  it('can be tested ten times a minute, even while disabled, without retries', async () => {
    const webhook = await made();
    await of(owner).call('updateWebhook', { ...at(webhook), body: { enabled: false } });
    receiver.answer = (_one, res) => void res.writeHead(418).end('I am a teapot');
    const sent = await of(owner).call('testWebhook', {
      ...at(webhook),
      body: { event: 'cvm.create_failed' },
    });
    expect(sent.status).toBe(202);
    const { event_id } = sent.body as WebhookDelivery;
    const failed = await ended(webhook, event_id);
    expect(failed).toMatchObject({ state: 'failed', test: true, event: 'cvm.create_failed' });
    expect(failed.payload).toMatchObject({ data: { status: 'error', test: true } });
    expect(failed.attempts).toMatchObject([{ status: 418, error: 'status' }]);
    expect(JSON.stringify(failed)).not.toContain('teapot');
    receiver.answer = (_one, res) => void res.writeHead(204).end();
    // A disabled webhook gets no resends, but tests are sent.
    expect(codeOf(await of(owner).call('resendWebhookDelivery', at(webhook, { event_id })))).toBe('202');
    expect(await ended(webhook, event_id)).toMatchObject({ state: 'delivered' });
    // Receivers rely on the fields of real events.
    const domain = await of(owner).call('testWebhook', { ...at(webhook), body: { event: 'domain.broken' } });
    expect((domain.body as WebhookDelivery).payload).toMatchObject({
      data: { status: 'error', domain: 'app.example.com', error: 'This is a test.' },
    });
    const budget = await of(owner).call('testWebhook', { ...at(webhook), body: { event: 'budget.alert' } });
    expect((budget.body as WebhookDelivery).payload).toMatchObject({
      data: { status: 'alert', cvm_id: null, message: 'A budget has reached an alert threshold.' },
    });
    for (let i = 0; i < 7; i++) await of(owner).call('testWebhook', at(webhook));
    expect(codeOf(await of(owner).call('testWebhook', at(webhook)))).toBe(RATE_LIMITED);
  });

  it('are not resent while in progress or while the webhook is disabled', async () => {
    const webhook = await made();
    receiver.answer = (_one, res) => void res.writeHead(500).end();
    const { event_id } = (await of(owner).call('testWebhook', at(webhook))).body as WebhookDelivery;
    await ended(webhook, event_id);
    await sql`update webhook_deliveries set test = false, state = 'pending', finished_at = null,
      next_attempt_at = now() + interval '1 hour' where event_id = ${event_id}`.execute(server.services.db);
    const resend = () => of(owner).call('resendWebhookDelivery', at(webhook, { event_id })).then(codeOf);
    expect(await resend()).toBe(CONFLICT);
    await of(owner).call('updateWebhook', { ...at(webhook), body: { enabled: false } });
    expect((await deliveries(webhook))[0]).toMatchObject({ state: 'cancelled', next_attempt_at: null });
    expect(await resend()).toBe(CONFLICT);
    receiver.answer = (_one, res) => void res.writeHead(204).end();
  });
});

describe('the signing secret', () => {
  it('is shown and rotated only after a recent confirmation with a second factor', async () => {
    const webhook = await made();
    const reveal = (who: TestMember) => of(who).call('revealWebhookSecret', at(webhook));
    const rotate = (who: TestMember, body?: object) =>
      of(who).call('rotateWebhookSecret', { ...at(webhook), ...(body ? { body } : {}) });
    const admin = await addMember(server, slug, 'admin');
    expect(codeOf(await reveal(admin))).toBe(FACTOR_NEEDED);
    expect(codeOf(await rotate(admin))).toBe(FACTOR_NEEDED);
    await withFactor(admin);
    await confirmedAt(admin, '16 minutes');
    expect(codeOf(await reveal(admin))).toBe(CONFIRMATION_NEEDED);
    expect(codeOf(await rotate(admin))).toBe(CONFIRMATION_NEEDED);
    await confirmedAt(admin, '1 minute');
    expect((await reveal(admin)).body).toEqual({
      secret: webhook.secret,
      previous_secret: null,
      previous_secret_until: null,
    });
    const rotated = (await rotate(admin)).body as Webhook;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(webhook.secret);
    const hours = (Date.parse(rotated.previous_secret_until ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    expect((await reveal(admin)).body).toMatchObject({
      secret: rotated.secret,
      previous_secret: webhook.secret,
    });
    // Without an overlap the previous secret is no longer valid.
    const again = (await rotate(admin, { overlap_hours: 0 })).body as Webhook;
    expect(again.previous_secret_until).toBeNull();
    expect((await reveal(admin)).body).toMatchObject({ secret: again.secret, previous_secret: null });
    const audited = JSON.stringify([
      await auditOf(server, slug, 'webhook.reveal_secret'),
      await auditOf(server, slug, 'webhook.rotate_secret'),
    ]);
    expect(audited).toContain(webhook.id);
    for (const { secret } of [webhook, rotated, again]) expect(audited).not.toContain(secret);
  });
});

describe('the URL', () => {
  let strict: TestServer;
  let admin: TestMember;
  beforeAll(async () => {
    strict = await startTestServer();
    admin = await registerUser(strict);
    await admin.client.call('createWorkspace', { body: { name: 'Strict', slug: 'strict' } });
  });
  afterAll(() => strict.stop());
  const save = (url: string) =>
    admin.client
      .with({ 'x-workspace': 'strict' })
      .call('createWebhook', { body: { url, events: ['cvm.created'] } });

  it.each([
    'https://127.0.0.1/hook',
    'https://localhost/hook',
    'https://[::1]/hook',
    'https://[::ffff:169.254.169.254]/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0/',
    'https://10.0.0.5/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'http://93.184.216.34/',
    'file:///etc/passwd',
    'gopher://93.184.216.34/',
    'https://93.184.216.34:22/',
    'https://93.184.216.34:6667/',
    'https://user:password@93.184.216.34/',
    'https://93.184.216.34/#part',
    'not an address',
  ])('is rejected when saved: %s', async (url) => {
    const answer = await save(url);
    expect(codeOf(answer)).toBe(INVALID);
    expect(JSON.stringify(answer.body)).toContain('url');
    expect(await strict.services.db.selectFrom('webhooks').select('id').execute()).toEqual([]);
  });

  it('is normalized, and validated again when changed', async () => {
    const answer = await save('HTTPS://93.184.216.34:443/a/../hook?x=1');
    expect(codeOf(answer)).toBe('201');
    const webhook = answer.body as Webhook;
    expect(webhook.url).toBe('https://93.184.216.34/hook?x=1');
    const change = await admin.client
      .with({ 'x-workspace': 'strict' })
      .call('updateWebhook', { ...at(webhook), body: { url: 'https://10.0.0.5/' } });
    expect(codeOf(change)).toBe(INVALID);
    const [audited] = await auditOf(strict, 'strict', 'webhook.create');
    expect(JSON.stringify(audited)).not.toContain('x=1');
  });
});
