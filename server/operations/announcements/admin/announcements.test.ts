import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAffectedUser, AdminAnnouncement, Announcement } from '../../../../generated/api/types.gen';
import { announce } from '../../../jobs/announcements/announce';
import { insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { problemOf, startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

let test: AdminTest;
beforeAll(async () => {
  // This process doesn't run jobs; the test acts as the worker.
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test.server.stop());

const write = async (body: Record<string, unknown> = {}): Promise<AdminAnnouncement> => {
  const reply = await test.admin.call('createAdminAnnouncement', {
    body: { title: 'Hosts restart', text: 'Tonight.', ...body },
  });
  expect(reply.status).toBe(201);
  return reply.body as AdminAnnouncement;
};
const publish = (id: number) => test.admin.call('publishAdminAnnouncement', { path: { id } });
const end = (id: number) => test.admin.call('endAdminAnnouncement', { path: { id } });
const seenBy = async (client = test.member): Promise<Announcement[]> =>
  (await client.call('listAnnouncements')).body as Announcement[];
const titles = async (client = test.member) => (await seenBy(client)).map(({ title }) => title);
const affected = async (id: number) =>
  (await test.admin.call('listAdminAnnouncementUsers', { path: { id } })).body as AdminAffectedUser[];
/** Audience size before an announcement exists. */
const count = async (body: Record<string, unknown>) =>
  (await test.admin.call('countAnnouncementAudience', { body })).body as { users: number };
const teamOf = (slug: string | null) =>
  test.server.services.db
    .selectFrom('teams')
    .selectAll()
    .where('slug', '=', slug ?? '')
    .executeTakeFirstOrThrow();

describe('an announcement', () => {
  it('is hidden as a draft, visible while live, and hidden again after it ends', async () => {
    const { id, state } = await write({ title: 'One life' });
    expect(state).toBe('draft');
    expect(await titles()).not.toContain('One life');
    expect((await publish(id)).body).toMatchObject({ state: 'live' });
    expect(await titles()).toContain('One life');
    expect((await publish(id)).status).toBe(409);
    expect((await test.admin.call('deleteAdminAnnouncement', { path: { id } })).status).toBe(409);
    expect((await end(id)).body).toMatchObject({ state: 'ended' });
    expect(await titles()).not.toContain('One life');
    expect((await end(id)).status).toBe(409);
    const late = await test.admin.call('updateAdminAnnouncement', { path: { id }, body: { text: 'x' } });
    expect(late.status).toBe(409);
    expect((await test.audits('announcement', id)).map(({ action }) => action)).toEqual([
      'announcement.create',
      'announcement.publish',
      'announcement.end',
    ]);
  });

  it('is visible without a session only when addressed to everyone', async () => {
    const { slug } = test.member;
    const host = await insertHost(test.server.services.db);
    const drafts = [
      { title: 'For the whole world', severity: 'critical' },
      { title: 'For one team', audience: 'workspaces', workspaces: [slug] },
      { title: 'For one host', audience: 'teepod', teepod_id: host.teepod.id },
      { title: 'Not yet', starts_at: new Date(Date.now() + 3_600_000).toISOString() },
    ];
    for (const draft of drafts) await publish((await write(draft)).id);
    await write({ title: 'Nobody published this' });
    const session = async (client = test.server.anonymous) => (await client.call('getSession')).body;
    const { announcements } = await session();
    const ours = announcements.filter(({ title }) => drafts.some((draft) => draft.title === title));
    expect(ours.map(({ title, severity }) => [title, severity])).toEqual([
      ['For the whole world', 'critical'],
    ]);
    expect(Object.keys(ours[0] ?? {}).sort()).toEqual(
      ['dismissible', 'id', 'link', 'severity', 'starts_at', 'text', 'title'].sort(),
    );
    // For signed-in users, dismissals are taken into account.
    expect((await session(test.member)).announcements).toEqual([]);
    expect((await test.server.anonymous.call('listAnnouncements')).status).toBe(401);
    expect(await titles()).toEqual(expect.arrayContaining(['For the whole world', 'For one team']));
  });

  it('is shown only between its start and end time', async () => {
    const { id } = await write({
      title: 'By clock',
      starts_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await publish(id)).body).toMatchObject({ state: 'scheduled' });
    expect(await titles()).not.toContain('By clock');
    const at = (starts_at: Date, ends_at: Date) =>
      test.server.services.db
        .updateTable('announcements')
        .set({ starts_at, ends_at })
        .where('id', '=', id)
        .execute();
    await at(new Date(Date.now() - 60_000), new Date(Date.now() + 60_000));
    expect(await titles()).toContain('By clock');
    await at(new Date(Date.now() - 60_000), new Date(Date.now() - 1_000));
    expect(await titles()).not.toContain('By clock');
  });

  it('is dismissed across devices, unless not dismissible, and shown again after an edit', async () => {
    const { id } = await write({ title: 'Close me' });
    await publish(id);
    const shown = (await seenBy()).find(({ title }) => title === 'Close me');
    const path = { announcement_id: shown?.id ?? '' };
    expect((await test.member.call('dismissAnnouncement', { path })).status).toBe(204);
    expect((await test.member.call('dismissAnnouncement', { path })).status).toBe(204);
    expect(await titles()).not.toContain('Close me');
    expect(await titles(test.admin)).toContain('Close me');
    expect(await affected(id)).toContainEqual(
      expect.objectContaining({ email: test.member.email, dismissed_at: expect.any(String) }),
    );
    await test.admin.call('updateAdminAnnouncement', { path: { id }, body: { text: 'Tomorrow.' } });
    expect(await titles()).toContain('Close me');
    await test.admin.call('updateAdminAnnouncement', { path: { id }, body: { dismissible: false } });
    expect((await test.member.call('dismissAnnouncement', { path })).status).toBe(409);
    await end(id);
    expect((await test.member.call('dismissAnnouncement', { path })).status).toBe(404);
  });

  it('about a host reaches members of teams with a CVM there, as in the preview', async () => {
    const { db } = test.server.services;
    const host = await insertHost(db, { name: 'affected-host' });
    const team = await teamOf(test.member.slug);
    const app = await insertApp(db, { team_id: team.id, host, name: 'shop' });
    await insertCvm(db, { ...app, host });
    const image = await db.selectFrom('os_images').select('id').limit(1).executeTakeFirstOrThrow();
    const audiences = [
      { audience: 'teepod', teepod_id: host.teepod.id },
      { audience: 'node', node_id: host.teepod.node_id },
      { audience: 'kms', kms_id: host.kms.id },
      { audience: 'os_image', os_image_id: image.id },
      { audience: 'workspaces', workspaces: [team.slug] },
    ];
    for (const audience of audiences) {
      const title = `For ${audience.audience}`;
      expect(await count(audience), title).toEqual({ users: 1 });
      const { id } = await write({ title, ...audience });
      expect(await affected(id), title).toEqual([
        expect.objectContaining({
          email: test.member.email,
          workspaces: [team.slug],
          workspace_names: [team.name],
          dismissed_at: null,
        }),
      ]);
      await publish(id);
      expect(await titles(), title).toContain(title);
      expect(await titles(test.admin), title).not.toContain(title);
      await end(id);
    }
    await db.updateTable('cvms').set({ deleted_at: new Date() }).where('team_id', '=', team.id).execute();
    const { id } = await write({ audience: 'teepod', teepod_id: host.teepod.id });
    expect(await affected(id)).toEqual([]);
    expect(await count({ audience: 'teepod', teepod_id: host.teepod.id })).toEqual({ users: 0 });
  });

  it('counts the audience of an unfinished form', async () => {
    const { db } = test.server.services;
    const { n } = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('state', '=', 'active')
      .executeTakeFirstOrThrow();
    expect(await count({ audience: 'everybody' })).toEqual({ users: Number(n) });
    // No target selected yet.
    expect(await count({ audience: 'workspaces' })).toEqual({ users: 0 });
    expect(await count({ audience: 'node', node_id: null })).toEqual({ users: 0 });
    const refused = await test.member.call('countAnnouncementAudience', { body: { audience: 'everybody' } });
    expect(refused.status).toBe(403);
    const invalid = await test.admin.call('countAnnouncementAudience', { body: { audience: 'nobody' } });
    expect(invalid.status).toBe(422);
  });

  it.each([
    [{ audience: 'workspaces' }, 'workspaces'],
    [{ audience: 'workspaces', workspaces: ['no-such-team'] }, 'workspaces'],
    [{ audience: 'teepod' }, 'teepod_id'],
    [{ audience: 'node', node_id: 999_999 }, 'node_id'],
    [{ node_id: 999_999 }, 'node_id'],
    [{ teepod_id: 999_999 }, 'teepod_id'],
    [{ kms_id: 999_999 }, 'kms_id'],
    [{ os_image_id: 999_999 }, 'os_image_id'],
    [{ starts_at: '2030-01-02T00:00:00Z', ends_at: '2030-01-01T00:00:00Z' }, 'ends_at'],
    [{ notify: true }, 'notify'],
    [{ title: ' ' }, 'title'],
    [{ title: 'one\r\ntwo' }, 'title'],
    [{ text: '\n ' }, 'text'],
  ])('rejects %j and names the field', async (body, field) => {
    const reply = await test.admin.call('createAdminAnnouncement', {
      body: { title: 'x', text: 'y', ...body },
    });
    expect(reply.status).toBe(422);
    expect(problemOf(reply.body).detail.details[0]?.field).toBe(field);
  });

  it('can be changed only at its latest version and only by platform admins', async () => {
    const { id } = await write({ title: 'Guarded' });
    const read = await test.admin.call('getAdminAnnouncement', { path: { id } });
    const change = (title: string) =>
      test.admin.call('updateAdminAnnouncement', {
        path: { id },
        body: { title },
        headers: { 'if-match': read.headers.get('etag') ?? '' },
      });
    expect((await change('Once')).status).toBe(200);
    expect((await change('Twice')).status).toBe(412);
    expect((await test.admin.call('deleteAdminAnnouncement', { path: { id } })).status).toBe(204);
    expect((await test.admin.call('getAdminAnnouncement', { path: { id } })).status).toBe(404);
    expect((await test.member.call('listAdminAnnouncements')).status).toBe(403);
    expect((await test.server.anonymous.call('listAnnouncements')).status).toBe(401);
  });

  it('notifies each recipient once if critical, and resolves when it ends', async () => {
    const { db } = test.server.services;
    const { id } = await write({ title: 'Read this', severity: 'critical', notify: true });
    await publish(id);
    await announce(db);
    await announce(db);
    const notifications = () =>
      db.selectFrom('notifications').selectAll().where('kind', '=', 'announcement').orderBy('id').execute();
    const rows = await notifications();
    expect(rows).toHaveLength((await affected(id)).length);
    expect(rows[0]).toMatchObject({ title: 'Read this', message: 'Tonight.', count: 1, resolved_at: null });
    expect(rows.every(({ mail_due_at }) => mail_due_at !== null)).toBe(true);
    await end(id);
    const isOver = ({ resolved_at, mail_due_at }: (typeof rows)[number]) =>
      resolved_at !== null && mail_due_at === null;
    expect((await notifications()).every(isOver)).toBe(true);
  });

  it('notifies users added by a changed audience, and nobody twice', async () => {
    const { db } = test.server.services;
    const { slug } = test.member;
    const { id } = await write({
      title: 'For more',
      severity: 'critical',
      notify: true,
      audience: 'workspaces',
      workspaces: [slug],
    });
    await publish(id);
    await announce(db);
    const told = async () =>
      (
        await db
          .selectFrom('notifications as n')
          .innerJoin('users as u', 'u.id', 'n.user_id')
          .select(['u.email', 'n.count'])
          .where('n.title', '=', 'For more')
          .orderBy('u.id')
          .execute()
      ).map(({ email, count }) => [email, count]);
    expect(await told()).toEqual([[test.member.email, 1]]);
    const body = { workspaces: [slug, test.admin.slug] };
    expect((await test.admin.call('updateAdminAnnouncement', { path: { id }, body })).status).toBe(200);
    await announce(db);
    expect(await told()).toEqual([
      [test.admin.email, 1],
      [test.member.email, 1],
    ]);
    await end(id);
  });

  it('resolves its notifications when its end time passes', async () => {
    const { db } = test.server.services;
    const { id } = await write({ title: 'Until then', severity: 'critical', notify: true });
    await publish(id);
    await announce(db);
    const past = { starts_at: null, ends_at: new Date(Date.now() - 1_000) };
    await db.updateTable('announcements').set(past).where('id', '=', id).execute();
    await announce(db);
    const open = db.selectFrom('notifications').select('id').where('resolved_at', 'is', null);
    expect(await open.where('title', '=', 'Until then').execute()).toEqual([]);
  });

  it('is pushed to open pages when it goes live', async () => {
    let pushed = 0;
    const stop = test.server.services.events.onAnnouncement(() => pushed++);
    const { id } = await write({ title: 'Now' });
    await publish(id);
    await expect.poll(() => pushed).toBeGreaterThan(0);
    stop();
    await end(id);
  });
});
