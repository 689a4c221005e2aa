import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Notification, NotificationSettings } from '../../../generated/api/types.gen';
import { addEvent } from '../../db/activity/operations';
import { unsubscribeToken } from '../../domain/notifications/notifyUnsubscribe';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import {
  auditOf,
  codeOf,
  INVALID,
  LINK_INVALID,
  addMember,
  NOT_FOUND,
  registerUser,
  addMembership,
  type TestMember,
} from '../teams/testing/members';

let server: TestServer;
let owner: TestMember;
let host: TestHost;
let app: TestApp;
const slug = 'noted';
beforeAll(async () => {
  server = await startTestServer();
  owner = await registerUser(server);
  await owner.client.call('createWorkspace', { body: { name: 'Noted', slug } });
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
  host = await insertHost(db);
  app = await insertApp(db, { team_id: team.id, host, name: 'web' });
});
afterAll(() => server.stop());

const fails = async (message = 'Update failed: no.') => {
  const cvm = await insertCvm(server.services.db, { ...app, host });
  await addEvent(server.services.db, { cvm, kind: 'update.failed', severity: 'error', message });
  return cvm;
};
const list = async (who: TestMember, query: Record<string, unknown> = {}) =>
  (await who.client.call('listNotifications', { query })).body;
const listed = (who: TestMember, n: number) =>
  eventually<Notification[]>(`${n} notifications`, async () => {
    const { data } = await list(who);
    return data.length === n ? data : null;
  });
const settings = async (who: TestMember) =>
  (await who.client.call('getNotificationSettings')).body as NotificationSettings;

describe('the notification list', () => {
  it('returns the latest first with links, pages and the unread count', async () => {
    const who = await addMember(server, slug, 'member');
    const cvms = [await fails('first'), await fails('second'), await fails('third')];
    const all = await listed(who, 3);
    expect(new Set(all.map(({ cvm }) => cvm?.name))).toEqual(new Set(cvms.map(({ name }) => name)));
    expect(all[0]).toMatchObject({
      kind: 'operation_failed',
      severity: 'error',
      count: 1,
      resolved_at: null,
      read_at: null,
      team: { slug, name: 'Noted' },
      cvm: { object_type: 'cvm', app_id: app.app.app_id },
    });
    expect(all[0]!.id).toMatch(/^ntf_/);
    expect((await list(who)).unread).toBe(3);
    const first = await list(who, { limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
    const second = await list(who, { limit: 2, cursor: first.pagination.next_cursor ?? '' });
    expect(second.data.map(({ id }) => id)).toEqual([all[2]!.id]);
    expect(second.pagination.has_more).toBe(false);

    const read = (body: object) => who.client.call('markNotificationsRead', { body });
    expect((await read({ ids: [all[1]!.id, 'ntf_of_somebody_else'] })).body).toEqual({ unread: 2 });
    expect((await list(who, { state: 'unread' })).data.map(({ id }) => id)).toEqual([all[0]!.id, all[2]!.id]);
    // A repeated failure moves to the top and is unread again.
    await addEvent(server.services.db, {
      cvm: cvms.find(({ public_id }) => public_id === all[1]!.cvm?.id)!,
      kind: 'start.failed',
      severity: 'error',
      message: 'again',
    });
    const top = await eventually('the repeated failure is counted', async () => {
      const { data, unread } = await list(who);
      return data[0]?.count === 2 && unread === 3 ? data[0] : null;
    });
    expect(top).toMatchObject({ id: all[1]!.id, message: 'again', read_at: null });
    expect((await read({ all: true })).body).toEqual({ unread: 0 });
    expect(codeOf(await read({}))).toBe(INVALID);
    expect(codeOf(await read({ all: true, ids: [] }))).toBe(INVALID);
  });

  it('is private to each user, and excludes teams the user has left', async () => {
    const [one, other] = [await addMember(server, slug, 'member'), await addMember(server, slug, 'member')];
    await fails();
    const [mine] = await listed(one, 1);
    await listed(other, 1);
    await other.client.call('markNotificationsRead', { body: { ids: [mine!.id] } });
    expect((await list(one)).unread).toBe(1);
    expect(codeOf(await owner.client.call('deleteMember', { path: { slug, user_id: one.id } }))).toMatch(
      /^20/,
    );
    expect(await list(one)).toMatchObject({ data: [], unread: 0 });
    await fails();
    await listed(other, 2);
    expect((await list(one)).data).toEqual([]);
    // After rejoining, it starts empty.
    await addMembership(server, slug, one, 'member');
    expect((await list(one)).data).toEqual([]);
  });

  it('excludes teams the session may not enter', async () => {
    const who = await addMember(server, slug, 'member');
    await fails();
    await listed(who, 1);
    const rule = (on: boolean) =>
      sql`update teams set require_second_factor = ${on} where slug = ${slug}`.execute(server.services.db);
    await rule(true);
    expect(await list(who)).toMatchObject({ data: [], unread: 0 });
    expect((await settings(who)).teams.map(({ team }) => team.slug)).not.toContain(slug);
    await rule(false);
    expect(await list(who)).toMatchObject({ unread: 1 });
  });

  it('is pushed to open pages of any team', async () => {
    const who = await addMember(server, slug, 'member');
    const own = (await who.client.call('getSession')).body.teams.find((team) => team.slug !== slug)!.slug;
    const abort = new AbortController();
    const stream = await fetch(`${server.address}/api/v1/events/stream?workspace=${own}`, {
      headers: { cookie: (who.client as { cookie: string | null }).cookie ?? '' },
      signal: abort.signal,
    });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (fragment: string) => {
      while (!text.includes(fragment)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended: ${text}`);
        text += value;
      }
    };
    await until(': connected');
    await fails();
    await until('event: notification');
    text = '';
    await who.client.call('markNotificationsRead', { body: { all: true } });
    await until('event: notification');
    abort.abort();
  });
});

describe('notification settings', () => {
  it('default by role until changed', async () => {
    const who = await addMember(server, slug, 'viewer');
    const of = async () => (await settings(who)).teams.find(({ team }) => team.slug === slug)!.preferences;
    expect(await of()).toEqual([
      { kind: 'operation_failed', console: true, mail: false },
      { kind: 'cvm_down', console: true, mail: false },
      { kind: 'host_trouble', console: true, mail: false },
      { kind: 'disk_low', console: true, mail: false },
      { kind: 'cvm_schedule', console: true, mail: false },
      { kind: 'domain_trouble', console: true, mail: false },
      { kind: 'announcement', console: true, mail: true },
      { kind: 'listing', console: true, mail: false },
    ]);
    const choose = (preferences: object[], at = slug) =>
      who.client.call('updateNotificationPreferences', { path: { slug: at }, body: { preferences } });
    const answer = await choose([
      { kind: 'cvm_down', console: true, mail: true },
      { kind: 'webhook_failed', console: true, mail: true },
    ]);
    expect(codeOf(answer)).toBe('200');
    expect((await of()).find(({ kind }) => kind === 'cvm_down')).toMatchObject({ mail: true });
    // Notifications irrelevant to a viewer aren't stored for when they become an admin.
    await addMembership(server, slug, who, 'admin');
    expect(await of()).toContainEqual({ kind: 'webhook_failed', console: true, mail: true });
    const { rows } = await sql<{ n: number }>`select count(*) as n from notification_preferences
      where kind = 'webhook_failed' and user_id = ${who.user_id}`.execute(server.services.db);
    expect(rows[0]!.n).toBe(0);
    expect(codeOf(await choose([], 'no-such-team'))).toBe(NOT_FOUND);
    expect(codeOf(await choose([{ kind: 'weather', console: true, mail: true }]))).toBe(INVALID);
    const stranger = await registerUser(server);
    expect(
      codeOf(
        await stranger.client.call('updateNotificationPreferences', {
          path: { slug },
          body: { preferences: [] },
        }),
      ),
    ).toBe(NOT_FOUND);
  });

  it('of staff are in the team that lists their notices, if the session may enter it', async () => {
    const who = await addMember(server, slug, 'viewer');
    const { db } = server.services;
    await sql`update users set platform_role = 'admin' where id = ${who.user_id}`.execute(db);
    await who.client.call('setDefaultWorkspace', { path: { slug } });
    const inTeams = async () =>
      (await settings(who)).teams
        .filter(({ preferences }) => preferences.some(({ kind }) => kind === 'abuse_report'))
        .map(({ team }) => team.slug);
    const usual = await inTeams();
    await sql`update teams set require_second_factor = true where slug = ${slug}`.execute(db);
    const refused = await inTeams();
    await sql`update teams set require_second_factor = false where slug = ${slug}`.execute(db);
    expect([usual, refused]).toEqual([[slug], []]);
  });

  it('accept quiet hours in a valid time zone', async () => {
    const who = await registerUser(server);
    const save = (body: object) => who.client.call('updateNotificationSettings', { body });
    expect(await settings(who)).toMatchObject({
      time_zone: null,
      quiet_hours: null,
      email: who.email,
      email_verified: true,
    });
    expect(
      (await save({ time_zone: 'Europe/Berlin', quiet_hours: { from: '22:00', to: '07:00' } })).body,
    ).toMatchObject({ time_zone: 'Europe/Berlin', quiet_hours: { from: '22:00', to: '07:00' } });
    expect((await save({ time_zone: 'Asia/Tokyo' })).body).toMatchObject({
      time_zone: 'Asia/Tokyo',
      quiet_hours: { from: '22:00', to: '07:00' },
    });
    for (const bad of [
      { time_zone: 'Mars/Olympus' },
      { quiet_hours: { from: '25:00', to: '07:00' } },
      { quiet_hours: { from: '07:00', to: '07:00' } },
      { quiet_hours: { from: '07:00' } },
    ])
      expect(codeOf(await save(bad))).toBe(INVALID);
    expect((await save({ quiet_hours: null })).body).toMatchObject({ quiet_hours: null });
  });
});

describe('unsubscribing', () => {
  it('stops email of one kind with a single unauthenticated POST, but not with a GET', async () => {
    const who = await addMember(server, slug, 'member');
    const { seal } = server.services;
    const token = unsubscribeToken(seal, who.id, 'operation_failed');
    const at = `${server.address}/api/v1/notifications/unsubscribe?token=${encodeURIComponent(token)}`;
    const opened = await fetch(at, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([
      302,
      `${server.url}/account/settings?section=notifications`,
    ]);
    const preference = async (wanted: string) =>
      (await settings(who)).teams
        .find(({ team }) => team.slug === slug)!
        .preferences.find(({ kind }) => kind === wanted);
    expect(await preference('operation_failed')).toMatchObject({ mail: true });
    // As mail programs send it (RFC 8058 §3.2).
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    };
    expect((await fetch(at, form)).status).toBe(204);
    expect((await fetch(at, form)).status).toBe(204);
    expect(await preference('operation_failed')).toEqual({
      kind: 'operation_failed',
      console: true,
      mail: false,
    });
    expect(await preference('cvm_down')).toMatchObject({ mail: true });
    const forged = token.replace(who.id, owner.id);
    expect(codeOf(await server.anonymous.call('unsubscribe', { query: { token: forged } }))).toBe(
      LINK_INVALID,
    );
    expect(await auditOf(server, slug, 'user.unsubscribe')).toEqual([]);
  });
});
