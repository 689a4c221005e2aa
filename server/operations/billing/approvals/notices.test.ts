import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdminFinanceAction,
  Notification,
  NotificationSettings,
} from '../../../../generated/api/types.gen';
import { notifyExpired } from '../../../db/notifications/financeNotices';
import { mailNotifications } from '../../../jobs/notifications/notifyMail';
import { mailsTo } from '../../../testing/mail';
import type { TestClient } from '../../../testing/server';
import { once, startOrderServer, type OrderServer } from '../orders/testing/orderTeams';

let s: OrderServer;
let asks: TestClient;
let decides: TestClient;
let support: TestClient;
let team_id: number;

beforeAll(async () => {
  s = await startOrderServer({ BILLING_APPROVAL_LIMIT: '100' });
  [asks, decides, support] = [await staff('finance'), await staff('finance'), await staff('support')];
});
afterAll(() => s.server.stop());
beforeEach(async () => {
  await s.server.services.db.deleteFrom('notifications').execute();
  await s.server.services.db.deleteFrom('outbox').execute();
  ({ team_id } = await s.team(0));
});

async function staff(platform_role: 'finance' | 'support'): Promise<TestClient> {
  const client = await s.server.register();
  await s.server.services.db
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email!)
    .execute();
  return client;
}
async function request(reason = 'An outage in May', by = asks): Promise<number> {
  const body = { team_id, amount: '250', reason };
  const { status, body: action } = await by.call('createAdminCredit', { body, headers: once() });
  expect(status).toBe(202);
  return (action as AdminFinanceAction).id;
}
const approve = (id: number) => decides.call('approveAdminFinanceAction', { path: { id }, headers: once() });
const reject = (id: number, by: TestClient, reason = 'Ask the team first') =>
  by.call('rejectAdminFinanceAction', { path: { id }, body: { reason } });
const bell = async (client: TestClient) =>
  ((await client.call('listNotifications')).body as { data: Notification[] }).data.filter(
    ({ kind }) => kind === 'finance_action',
  );
/** Returns the mail to a user after five minutes. */
async function mails(client: TestClient) {
  const { db, mail, seal, config } = s.server.services;
  const now = () => new Date(Date.now() + 6 * 60_000);
  await mailNotifications({ db, outbox: mail, seal, public_url: config.publicUrl, now });
  return (
    (await mailsTo({ db, seal }, client.email!))
      .filter(({ template }) => template === 'notification_digest')
      // Lines are wrapped, and dots are joined so that no client turns them into links.
      .map((one) => ({ ...one, text: one.text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ') }))
  );
}

describe('a pending request', () => {
  it('notifies those who may approve it, in the bell and by email, and nobody else', async () => {
    const id = await request();
    const [notice] = await bell(decides);
    expect(notice).toMatchObject({
      title: expect.stringMatching(/^Approval requested: Grant a credit, \$250\.00, for /),
      message: expect.stringMatching(
        /“An outage in May”.* It expires on [A-Z][a-z]+ \d+, \d{4}, \d\d:\d\d UTC\.$/,
      ),
      finance_action_id: id,
      resolved_at: null,
    });
    expect(await bell(s.admin)).toHaveLength(1);
    for (const nobody of [asks, support]) expect(await bell(nobody)).toEqual([]);
    const [mail, ...more] = await mails(decides);
    expect(more).toEqual([]);
    for (const part of ['Grant a credit, $250.00', 'An outage in May', '/admin/finance-actions'])
      expect(mail?.text).toContain(part);
    for (const nobody of [asks, support]) expect(await mails(nobody)).toEqual([]);
  });

  it('that takes money from a balance says so in the bell and the mail', async () => {
    const body = { team_id, amount: '-600', reason: 'Counted twice' };
    const { status, body: action } = await asks.call('createAdminAdjustment', { body, headers: once() });
    expect(status).toBe(202);
    expect(action).toMatchObject({
      title: expect.stringMatching(/^Take \$600\.00 from the balance of /),
      amount: '-600.00',
    });
    const title = expect.stringMatching(/^Approval requested: Take \$600\.00 from the balance of /);
    expect(await bell(decides)).toMatchObject([{ title }]);
    expect(await mails(decides)).toMatchObject([{ subject: title }]);
    const added = await asks.call('createAdminAdjustment', {
      body: { ...body, amount: '600' },
      headers: once(),
    });
    expect(added.body).toMatchObject({
      title: expect.stringMatching(/^Add \$600\.00 to the balance of /),
      amount: '600.00',
    });
  });

  it('shares one email with fifty others', async () => {
    for (let index = 0; index < 50; index++) await request(`Reason ${index}`);
    const all = await mails(decides);
    expect(all.map(({ subject }) => subject)).toEqual(['50 notices about finance actions']);
    expect(all[0]?.text).toContain('And 30 more');
  });

  it('sends no second notice when repeated', async () => {
    expect(await request()).toBe(await request());
    expect(await bell(decides)).toMatchObject([{ count: 1 }]);
  });

  it('is marked read, and dropped from the mail, once another administrator decides it', async () => {
    const id = await request();
    expect(await bell(s.admin)).toMatchObject([{ read_at: null }]);
    expect((await approve(id)).status).toBe(200);
    for (const approver of [s.admin, decides])
      expect(await bell(approver)).toMatchObject([
        { resolved_at: expect.any(String), read_at: expect.any(String) },
      ]);
    expect(await mails(s.admin)).toEqual([]);
  });
});

describe('the requester', () => {
  it.each([
    ['approved', 'Approved: Grant a credit, $250.00', (id: number) => approve(id)],
    ['rejected', 'Ask the team first', (id: number) => reject(id, decides)],
  ])('is notified when it is %s', async (_, text, decide) => {
    const id = await request();
    expect((await decide(id)).status).toBe(200);
    const [notice] = await bell(asks);
    expect(notice?.finance_action_id).toBe(id);
    expect(`${notice?.title} ${notice?.message}`).toContain(text);
    const [mail] = await mails(asks);
    expect(mail?.text).toContain(text);
  });

  it('is not notified of their own withdrawal', async () => {
    expect((await reject(await request(), asks)).status).toBe(200);
    expect(await bell(asks)).toEqual([]);
  });

  it('is notified once when nobody decides in time', async () => {
    const { db } = s.server.services;
    const id = await request();
    await sql`update finance_actions set expires_at = now() - interval '1 second' where id = ${id}`.execute(
      db,
    );
    await notifyExpired(db, new Date());
    await notifyExpired(db, new Date());
    expect(await bell(asks)).toMatchObject([{ title: expect.stringContaining('Expired:'), count: 1 }]);
    expect(await bell(decides)).toMatchObject([{ resolved_at: expect.any(String) }]);
  });
});

describe('the notification setting', () => {
  const kinds = async (client: TestClient) =>
    ((await client.call('getNotificationSettings')).body as NotificationSettings).teams.flatMap(
      ({ preferences }) => preferences.map(({ kind }) => kind),
    );

  it('exists only for staff who may approve, and turns the mail off', async () => {
    const who = await staff('finance');
    expect(await kinds(await s.server.register())).not.toContain('finance_action');
    expect(await kinds(support)).not.toContain('finance_action');
    expect((await kinds(who)).filter((kind) => kind === 'finance_action')).toHaveLength(1);
    const saved = await who.call('updateNotificationPreferences', {
      path: { slug: who.slug! },
      body: { preferences: [{ kind: 'finance_action', console: true, mail: false }] },
    });
    expect(saved.status).toBe(200);
    await request();
    expect(await bell(who)).toHaveLength(1);
    expect(await mails(who)).toEqual([]);
  });

  it('stops mail to a user who is no longer staff', async () => {
    const who = await staff('finance');
    await request();
    await s.server.services.db
      .updateTable('users')
      .set({ platform_role: null })
      .where('email', '=', who.email!)
      .execute();
    expect(await mails(who)).toEqual([]);
  });
});
