import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdminAbuseReport,
  NotificationPage,
  NotificationSettings,
} from '../../../generated/api/types.gen';
import { housekeeping } from '../../jobs/core/housekeeping';
import { mailNotifications } from '../../jobs/notifications/notifyMail';
import { announceDeletions } from '../../testing/announceDeletions';
import { mailsTo } from '../../testing/mail';
import { startTestServer, eventually, type TestClient, type TestServer } from '../../testing/server';

/** Reports about published apps, sent by visitors and decided by platform staff. */
let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let visitor: TestClient;
let app_id: string;
let vm_uuid: string;
const REPORT = { kind: 'phishing', text: 'The page copies the login of a bank.' } as const;

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  visitor = server.anonymous;
  admin = await server.register();
  owner = await server.register();
  const provision = await owner.call('provisionCvm', {
    body: { name: 'reported', compose_file: { docker_compose_file: 'services:\n  a:\n    image: b\n' } },
  });
  const { compose_hash } = provision.body as { compose_hash: string };
  app_id = String(provision.body.app_id);
  const made = await owner.call('createCvm', { body: { app_id, compose_hash } });
  vm_uuid = String(made.body.vm_uuid);
  const correlation_id = String(made.body.correlation_id);
  await eventually('the CVM is running', async () => {
    const { body } = await owner.call('getOperation', { path: { correlation_id } });
    return body.state === 'succeeded';
  });
});
afterAll(() => server?.stop());
beforeEach(async () => {
  await server.services.db.deleteFrom('abuse_reports').execute();
  await server.services.db.deleteFrom('notifications').execute();
  await server.services.db.deleteFrom('outbox').execute();
  await server.services.db
    .updateTable('apps')
    .set({ listing_refused_at: null, listing_refused_reason: null })
    .execute();
  expect((await publish(true)).status).toBe(204);
});

const publish = (listed: boolean) =>
  owner.call('setCvmListed', { path: { cvm_id: vm_uuid }, body: { listed } });
const report = (body: object = REPORT, id = app_id) =>
  visitor.call('reportPublicApp', { path: { app_id: id }, body });
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message;
const list = async () => (await admin.call('listAdminAbuseReports')).body as unknown as AdminAbuseReport[];
const detail = async () =>
  (await owner.call('getCvm', { path: { cvm_id: vm_uuid } })).body as unknown as {
    listing_refused_reason: string | null;
  };
const isPublic = async () => (await visitor.call('getPublicApp', { path: { app_id } })).status === 200;
const decide = (
  action: 'dismissAdminAbuseReport' | 'delistAdminAbuseReport' | 'reinstateAdminAbuseReport',
  id: number,
  client = admin,
) => client.call(action, { path: { id }, body: { reason: 'It imitates a bank.' } });

describe('a report', () => {
  it('reaches platform staff, with a reply address', async () => {
    expect((await report({ ...REPORT, email: 'visitor@example.test' })).status).toBe(204);
    expect(await list()).toMatchObject([
      {
        app_id,
        app_name: 'reported',
        ...REPORT,
        email: 'visitor@example.test',
        state: 'open',
        decision: null,
      },
    ]);
  });

  it('is refused for an unpublished app, with the same answer as for an unknown one', async () => {
    await publish(false);
    const [hidden, unknown] = [await report(), await report(REPORT, 'f'.repeat(40))];
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect(messageOf(hidden)).toBe(messageOf(unknown));
  });

  it.each([
    [{}, 'kind'],
    [{ ...REPORT, kind: 'boring' }, 'kind'],
    [{ ...REPORT, text: 'short' }, 'text'],
    [{ ...REPORT, text: 'x'.repeat(4001) }, 'text'],
    [{ ...REPORT, email: 'nobody' }, 'email'],
  ])('names the invalid field in %j', async (body, field) => {
    const reply = await report(body);
    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.body)).toContain(`"${field}"`);
    expect(await list()).toEqual([]);
  });

  it('is not stored while fifty are open for the app', async () => {
    const { id } = await server.services.db
      .selectFrom('apps')
      .select('id')
      .where('app_id', '=', app_id)
      .executeTakeFirstOrThrow();
    await server.services.db
      .insertInto('abuse_reports')
      .values(Array.from({ length: 50 }, () => ({ app_id: id, email: null, ...REPORT })))
      .execute();
    expect((await report({ ...REPORT, kind: 'malware' })).status).toBe(204);
    expect((await list()).map(({ kind }) => kind)).not.toContain('malware');
  });
});

describe('staff', () => {
  const bell = async (client: TestClient) =>
    ((await client.call('listNotifications')).body as NotificationPage).data.filter(
      ({ kind }) => kind === 'abuse_report',
    );
  const staff = async (platform_role: 'support' | 'finance') => {
    const client = await server.register();
    await server.services.db
      .updateTable('users')
      .set({ platform_role })
      .where('email', '=', client.email!)
      .execute();
    return client;
  };
  /** Returns the mail to a user after five minutes. */
  const mails = async (client: TestClient) => {
    const { db, mail, seal, config } = server.services;
    const now = () => new Date(Date.now() + 6 * 60_000);
    await mailNotifications({ db, outbox: mail, seal, public_url: config.publicUrl, now });
    return (await mailsTo({ db, seal }, client.email!)).filter(
      ({ template }) => template === 'notification_digest',
    );
  };

  it('with permission to decide are notified of a new report in the bell and by email, and nobody else', async () => {
    const [support, finance] = [await staff('support'), await staff('finance')];
    await report();
    for (const client of [admin, support]) {
      expect(await bell(client)).toMatchObject([
        { title: 'reported was reported in the explorer', count: 1, resolved_at: null },
      ]);
      const [mail, ...more] = await mails(client);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('reported was reported in the explorer');
      expect(mail?.text).toContain('/admin/abuse-reports');
      // An email quoting a stranger could itself be phishing.
      expect(mail?.text).not.toContain('login of a bank');
    }
    for (const nobody of [finance, owner]) {
      expect(await bell(nobody)).toEqual([]);
      expect(await mails(nobody)).toEqual([]);
    }
  });

  it('get one notice per app, however many reports arrive, until all are decided', async () => {
    await Promise.all([report(), report({ ...REPORT, kind: 'malware' }), report()]);
    expect(await bell(admin)).toMatchObject([{ count: 3, resolved_at: null }]);
    const [first, second, third] = await list();
    await decide('dismissAdminAbuseReport', first!.id);
    expect(await bell(admin)).toMatchObject([{ resolved_at: null }]);
    await decide('dismissAdminAbuseReport', second!.id);
    await decide('dismissAdminAbuseReport', third!.id);
    expect(await bell(admin)).toMatchObject([
      { resolved_at: expect.any(String), read_at: expect.any(String) },
    ]);
    expect(await mails(admin)).toEqual([]);
  });

  it('can turn the notice off, a setting other users don’t have', async () => {
    const kinds = async (client: TestClient) =>
      ((await client.call('getNotificationSettings')).body as NotificationSettings).teams.flatMap(
        ({ preferences }) => preferences.map(({ kind }) => kind),
      );
    const support = await staff('support');
    expect(await kinds(owner)).not.toContain('abuse_report');
    expect((await kinds(support)).filter((kind) => kind === 'abuse_report')).toHaveLength(1);
    const saved = await support.call('updateNotificationPreferences', {
      path: { slug: support.slug! },
      body: { preferences: [{ kind: 'abuse_report', console: false, mail: false }] },
    });
    expect(saved.status).toBe(200);
    await report();
    expect(await bell(support)).toEqual([]);
    expect(await bell(admin)).toHaveLength(1);
  });
});

describe('a decision', () => {
  const only = async () => {
    await report();
    const [found] = await list();
    if (!found) throw new Error('the report is missing');
    return found;
  };

  it('dismisses a report without changing the app', async () => {
    const { id } = await only();
    expect((await decide('dismissAdminAbuseReport', id)).body).toMatchObject({
      state: 'dismissed',
      decision: 'It imitates a bank.',
      is_delisted: false,
    });
    expect(await isPublic()).toBe(true);
    expect((await decide('dismissAdminAbuseReport', id)).status).toBe(409);
    expect((await decide('reinstateAdminAbuseReport', id)).status).toBe(409);
  });

  it('delists the app until it is reinstated, and shows the team the reason', async () => {
    const { id } = await only();
    await report({ ...REPORT, kind: 'malware' });
    expect((await decide('delistAdminAbuseReport', id)).body).toMatchObject({
      state: 'delisted',
      is_delisted: true,
    });
    expect(await isPublic()).toBe(false);
    // All open reports about the app are decided with it.
    expect((await list()).map(({ state }) => state)).toEqual(['delisted', 'delisted']);
    expect((await owner.call('getCvm', { path: { cvm_id: vm_uuid } })).body.status).toBe('running');

    const refused = await publish(true);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ERR-00-015' } });
    expect(messageOf(refused)).toContain('It imitates a bank.');
    expect(JSON.stringify(refused.body)).not.toContain('"listed"');
    expect((await detail()).listing_refused_reason).toBe('It imitates a bank.');
    const patched = await owner.call('patchCvm', { path: { cvm_id: vm_uuid }, body: { listed: true } });
    expect(patched.status).toBe(409);
    const events = await server.services.db
      .selectFrom('events')
      .select('message')
      .where('kind', '=', 'cvm.listed')
      .execute();
    expect(events.some(({ message }) => message.includes('It imitates a bank.'))).toBe(true);
    const trail = await server.services.db
      .selectFrom('audit_log')
      .select(['team_id', 'after'])
      .where('action', '=', 'abuse_report.delist')
      .execute();
    expect(trail.at(-1)).toMatchObject({
      team_id: expect.any(Number),
      after: { reason: 'It imitates a bank.' },
    });

    const notice = async () => {
      const { data } = (await owner.call('listNotifications')).body as NotificationPage;
      return data.find(({ kind }) => kind === 'listing');
    };
    await eventually('the team is notified', async () => (await notice()) !== undefined);
    expect(await notice()).toMatchObject({
      title: 'The operators removed reported from the explorer',
      message: expect.stringContaining('It imitates a bank.'),
      resolved_at: null,
    });
    const again = await admin.call('reinstateAdminAbuseReport', {
      path: { id },
      body: { reason: 'It no longer does.' },
    });
    expect(again.body).toMatchObject({
      state: 'reinstated',
      is_delisted: false,
      decision: 'It imitates a bank.',
      reinstatement: 'It no longer does.',
    });
    expect((await list()).map(({ state }) => state)).toEqual(['reinstated', 'reinstated']);
    expect((await detail()).listing_refused_reason).toBeNull();
    await eventually('the notice is resolved', async () => (await notice())?.resolved_at !== null);
    expect(await isPublic()).toBe(false);
    expect((await publish(true)).status).toBe(204);
    expect(await isPublic()).toBe(true);
  });

  it('covers CVMs in the recycle bin, which a reinstatement does not relist', async () => {
    const { db } = server.services;
    const ofApp = db.updateTable('cvms').where('vm_uuid', '=', vm_uuid);
    const { id } = await only();
    await ofApp.set({ deleted_at: new Date() }).execute();
    await decide('delistAdminAbuseReport', id);
    await decide('reinstateAdminAbuseReport', id);
    await ofApp.set({ deleted_at: null }).execute();
    expect(await isPublic()).toBe(false);
    expect((await publish(true)).status).toBe(204);
  });

  it('is deleted after a year with its report, unless the app is still delisted', async () => {
    const { db } = server.services;
    const removed = await only();
    await report({ ...REPORT, kind: 'malware' });
    await decide('delistAdminAbuseReport', removed.id);
    const age = (days: number) =>
      db
        .updateTable('abuse_reports')
        .set({ decided_at: new Date(Date.now() - days * 86_400_000) })
        .execute();
    await age(400);
    await housekeeping(db);
    const notices = db.selectFrom('retention_notices').select('kind').where('kind', '=', 'abuse_reports');
    expect(await notices.execute()).toEqual([]);
    await announceDeletions(db);
    await housekeeping(db);
    expect(await list()).toHaveLength(2);
    await decide('reinstateAdminAbuseReport', removed.id);
    await age(300);
    await housekeeping(db);
    expect(await list()).toHaveLength(2);
    await age(400);
    await housekeeping(db);
    expect(await list()).toEqual([]);
  });

  it('keeps an app hidden even if its CVM is listed', async () => {
    const { id } = await only();
    await decide('delistAdminAbuseReport', id);
    await server.services.db.updateTable('cvms').set({ listed: true }).execute();
    expect(await isPublic()).toBe(false);
  });

  it('is limited to platform staff', async () => {
    const { id } = await only();
    for (const action of [
      'dismissAdminAbuseReport',
      'delistAdminAbuseReport',
      'reinstateAdminAbuseReport',
    ] as const)
      expect((await decide(action, id, owner)).status).toBe(403);
    expect((await owner.call('listAdminAbuseReports')).status).toBe(403);
    expect((await owner.call('getAdminAbuseReport', { path: { id } })).status).toBe(403);
    expect((await decide('dismissAdminAbuseReport', 999_999)).status).toBe(404);
    expect((await admin.call('getAdminAbuseReport', { path: { id } })).body).toMatchObject({
      id,
      state: 'open',
    });
  });
});
