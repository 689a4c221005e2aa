import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { saveNotificationSettings, savePreferences } from '../../db/notifications/notificationSettings';
import { publicId } from '../../domain/core/publicId';
import { hashToken, newToken } from '../../domain/teams/token';
import { insertCvm, insertHost } from '../../testing/cvmFixtures';
import { insertTeam } from '../../testing/teamFixtures';
import { fanOutEvents } from './notifyFeed';
import { watchHosts, watchTokens } from './notifyTroubles';
import {
  prepareNotifications,
  setTime,
  db,
  team,
  app,
  cvm,
  at,
  pass,
  mail,
  rows,
  another,
  person,
  happen,
  mailsOf,
  type Person,
} from '../core/testing/notifying';

prepareNotifications();

describe('mail', () => {
  it('of a kind is sent once per five minutes, no matter what happens in them', async () => {
    const who = await person('member');
    const [second, third] = [await another(), await another()];
    await happen('update.failed');
    pass(2);
    await mail();
    expect(await mailsOf(who)).toEqual([]);
    await happen('start.failed', second);
    await happen('cvm.lost', third);
    pass(2);
    await happen('deploy.failed', third);
    pass(1);
    await mail();
    await mail();
    const [failed, ...more] = await mailsOf(who);
    expect(failed!.subject).toBe('3 operations failed');
    for (const { name } of [cvm, second, third]) expect(failed!.text).toContain(name);
    expect(failed!.text).toContain('section=notifications');
    expect(more).toEqual([]);
    pass(2);
    await mail();
    expect((await mailsOf(who)).map(({ subject }) => subject)).toEqual([
      '3 operations failed',
      `${third.name} is down`,
    ]);
  });

  it('about one problem repeats after an hour at the earliest, no matter how often it recurs', async () => {
    const who = await person('member');
    for (let i = 0; i < 12; i++) {
      await happen('update.failed');
      pass(5);
      await mail();
    }
    expect(await mailsOf(who)).toHaveLength(1);
    pass(10);
    await mail();
    const mails = await mailsOf(who);
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain('It happened 12 times.');
    expect(await rows(who)).toMatchObject([{ count: 12, resolved_at: null }]);
  });

  it('reports once that a problem is resolved, and not while it comes and goes', async () => {
    const who = await person('member');
    await happen('cvm.lost');
    pass(5);
    await mail();
    for (let i = 0; i < 5; i++) {
      await happen('cvm.recovered');
      pass(1);
      await happen('cvm.lost');
      pass(1);
      await mail();
    }
    expect((await mailsOf(who)).map(({ subject }) => subject)).toEqual([`${cvm.name} is down`]);
    await happen('cvm.recovered');
    pass(5);
    await mail();
    await mail();
    const [, over, ...more] = await mailsOf(who);
    expect(over!.subject).toBe(`Resolved: ${cvm.name} is down`);
    expect(over!.text).toContain('Resolved ');
    expect(more).toEqual([]);
    expect(await rows(who)).toMatchObject([{ count: 6, resolved_at: expect.any(Date) as Date }]);
  });

  it('that is still pending covers both, including a failure that was fixed', async () => {
    const who = await person('member');
    await happen('cvm.disk_low', cvm, '95% of the disk is used', 'warning');
    await happen('update.failed');
    pass(3);
    await happen('cvm.disk_recovered');
    await happen('update.succeeded');
    pass(2);
    await mail();
    const mails = await mailsOf(who);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      `Resolved: Update failed: ${cvm.name}`,
      `Resolved: ${cvm.name} is running out of disk`,
    ]);
    pass(120);
    await mail();
    expect(await mailsOf(who)).toHaveLength(2);
  });

  it('is sent again immediately when a warning becomes an error', async () => {
    const who = await person('member');
    await happen('cvm.disk_low', cvm, '90%', 'warning');
    pass(5);
    await mail();
    pass(5);
    await happen('cvm.disk_low', cvm, '98%');
    pass(5);
    await mail();
    expect(await mailsOf(who)).toHaveLength(2);
  });

  it('waits for the end of quiet hours in the user’s own time zone, losing nothing', async () => {
    const [berlin, tokyo] = [await person('member'), await person('member')];
    const quiet = (who: Person, time_zone: string) =>
      db
        .transaction()
        .execute((trx) =>
          saveNotificationSettings(trx, who.id, { time_zone, quiet_from: '22:00', quiet_to: '07:00' }),
        );
    await quiet(berlin, 'Europe/Berlin');
    await quiet(tokyo, 'Asia/Tokyo');
    // The night before the clocks go back in Berlin: 23:00 there, 06:00 in Tokyo.
    setTime(new Date('2026-10-24T21:00:00Z'));
    await happen('update.failed');
    pass(5);
    await mail();
    expect([await mailsOf(berlin), await mailsOf(tokyo)]).toEqual([[], []]);
    setTime(new Date('2026-10-24T22:00:00Z'));
    await mail();
    expect(await mailsOf(tokyo)).toHaveLength(1);
    setTime(new Date('2026-10-25T02:00:00Z'));
    await happen('start.failed', await another());
    await happen('cvm.lost', await another());
    await happen('cvm.recovered', cvm);
    // 06:59 in Berlin, where winter time has started by now.
    setTime(new Date('2026-10-25T05:59:00Z'));
    await mail();
    expect(await mailsOf(berlin)).toEqual([]);
    setTime(new Date('2026-10-25T06:00:00Z'));
    await mail();
    const mails = await mailsOf(berlin);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      '2 operations failed',
      expect.stringMatching(/is down$/),
    ]);
  });

  it('that can’t be written doesn’t keep that of others', async () => {
    const first = await person('member');
    // As stored by a process with a newer Node.js, which knows more zones.
    await db.transaction().execute((trx) =>
      saveNotificationSettings(trx, first.id, {
        time_zone: 'America/Newtown',
        quiet_from: '22:00',
        quiet_to: '07:00',
      }),
    );
    await happen('update.failed');
    pass(1);
    const second = await person('member');
    await happen('update.failed', await another());
    pass(6);
    await expect(mail()).rejects.toThrow('America/Newtown');
    expect(await mailsOf(second)).toHaveLength(1);
  });

  it('is sent as soon as quiet hours are turned off', async () => {
    const who = await person('member');
    const quiet = (quiet_from: string | null, quiet_to: string | null) =>
      db
        .transaction()
        .execute((trx) => saveNotificationSettings(trx, who.id, { time_zone: null, quiet_from, quiet_to }));
    setTime(new Date());
    const clock = (hours: number) => new Date(at.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
    await quiet(clock(-1), clock(2));
    await happen('update.failed');
    pass(6);
    await mail();
    expect(await mailsOf(who)).toEqual([]);
    await quiet(null, null);
    pass(6);
    await mail();
    expect(await mailsOf(who)).toHaveLength(1);
    // That email still counts: the next about the same problem waits its hour, whatever is saved meanwhile.
    await happen('update.failed');
    await quiet(null, null);
    pass(20);
    await mail();
    expect(await mailsOf(who)).toHaveLength(1);
  });

  it('is written once, no matter how many processes there are', async () => {
    const who = await person('member');
    await happen('update.failed');
    pass(5);
    await Promise.all(Array.from({ length: 8 }, mail));
    expect(await mailsOf(who)).toHaveLength(1);
  });

  it('turns text from hosts and names into no link and no header', async () => {
    const who = await person('member');
    await happen('update.failed', cvm, 'see https://evil.example/login\r\nBcc: eve@evil.example');
    pass(5);
    await mail();
    const [one] = await mailsOf(who);
    expect(one!.text).not.toContain('https://evil.example');
    expect(one!.text).not.toMatch(/^Bcc:/m);
  });
});

describe('hosts', () => {
  it('that stay silent are reported once to the teams with CVMs on them, and again when they are back', async () => {
    const who = await person('member');
    const other = await insertHost(db);
    const idle = await insertTeam(db, `idle-${team.slug}`);
    const onIt = await insertCvm(db, { ...app, host: other });
    // Not seen for a day, as after an outage of this server, which says nothing about the host.
    const set = async (reachable: boolean, ago: string) => {
      await sql`update teepods set reachable = ${reachable}, last_seen_at = now() - interval '1 day',
        reachable_since = case when ${reachable} then now() - ${ago}::interval end
        where id = ${other.teepod.id}`.execute(db);
      await sql`update host_troubles set since = now() - ${ago}::interval where told_at is null`.execute(db);
    };
    const look = async () => {
      await Promise.all([watchHosts(db), watchHosts(db)]);
      await fanOutEvents(db, 'https://cloud.example.test', () => at);
    };
    await set(false, '0 seconds');
    await look();
    await set(false, '1 minute');
    await look();
    expect(await rows(who)).toEqual([]);
    // Back before that: a restart, which sends no notification.
    await set(true, '1 second');
    await look();
    await set(false, '0 seconds');
    await look();
    await set(false, '3 minutes');
    await look();
    await look();
    const [told, ...more] = await rows(who);
    expect(told).toMatchObject({
      kind: 'host_trouble',
      title: `The host ${other.teepod.name} isn’t responding`,
      message: `The host ${other.teepod.name} isn’t responding; 1 of the team’s CVMs is affected`,
      count: 1,
    });
    expect(more).toEqual([]);
    const events = await db.selectFrom('events').select('team_id').where('kind', 'like', 'host.%').execute();
    expect(events.map(({ team_id }) => team_id)).not.toContain(idle.id);
    expect(onIt.team_id).toBe(team.id);
    await set(true, '5 seconds');
    await look();
    expect(await rows(who)).toMatchObject([{ resolved_at: null }]);
    await set(true, '1 minute');
    await look();
    expect(await rows(who)).toMatchObject([{ resolved_at: expect.any(Date) as Date }]);
    // The team stops its CVM while the host is silent.
    await set(false, '0 seconds');
    await look();
    await set(false, '3 minutes');
    await look();
    expect((await rows(who)).filter(({ resolved_at }) => resolved_at === null)).toHaveLength(1);
    await db.updateTable('cvms').set({ desired: 'stopped' }).where('id', '=', onIt.id).execute();
    await set(true, '1 minute');
    await look();
    expect((await rows(who)).filter(({ resolved_at }) => resolved_at === null)).toEqual([]);
  });
});

describe('API tokens', () => {
  it('are reported a week and a day before they expire, to their owner, once each', async () => {
    const [owner, other] = [await person('member'), await person('owner')];
    const token = async (name: string, days: number, age: number) => {
      const secret = newToken('api');
      await db
        .insertInto('api_tokens')
        .values({
          public_id: publicId('tok'),
          team_id: team.id,
          user_id: owner.id,
          name,
          token_hash: hashToken(secret),
          token_prefix: secret.slice(0, 12),
          scopes: ['*'],
          created_at: sql`now() - make_interval(days => ${age})` as never,
          expires_at: new Date(Date.now() + days * 86_400_000),
          revoked_at: null,
        })
        .execute();
    };
    await token('far', 30, 1);
    await token('week', 6, 80);
    await token('day', 0.5, 80);
    await token('issued for three days', 3, 0);
    const look = async () => {
      await Promise.all([watchTokens(db), watchTokens(db)]);
      const all = await rows(owner);
      expect(all.filter(({ count: times }) => times > 1)).toEqual([]);
      return all.map(({ title, severity, resolved_at }) => [title, severity, resolved_at !== null]);
    };
    const expected = [
      ['The API token day expires within a day', 'error', false],
      ['The API token week expires within a week', 'warning', false],
    ];
    expect((await look()).sort()).toEqual(expected);
    expect((await look()).sort()).toEqual(expected);
    expect(await rows(other)).toEqual([]);
    // On its last day, only the later notice is left.
    await sql`update api_tokens set expires_at = now() + interval '12 hours' where name = 'week'`.execute(db);
    expect((await look()).sort()).toEqual([
      expected[0],
      ['The API token week expires within a day', 'error', false],
      ['The API token week expires within a week', 'warning', true],
    ]);
    await sql`update api_tokens set revoked_at = now() where name = 'week'`.execute(db);
    expect((await look()).map(([, , over]) => over).sort()).toEqual([false, true, true]);
  });

  it('of owners who want no notices leave room for those of others', async () => {
    const [silent, viewer, other] = [await person('member'), await person('viewer'), await person('member')];
    await db
      .transaction()
      .execute((trx) =>
        savePreferences(trx, silent.id, [
          { team_id: team.id, kind: 'token_expiring', console: false, mail: false },
        ]),
      );
    const tokens = (user_id: number, count: number, days: number) =>
      db
        .insertInto('api_tokens')
        .values(
          Array.from({ length: count }, () => ({
            public_id: publicId('tok'),
            team_id: team.id,
            user_id,
            name: 'CI',
            token_hash: hashToken(newToken('api')),
            token_prefix: 'thk_api_',
            scopes: ['*'],
            created_at: sql`now() - interval '80 days'` as never,
            expires_at: new Date(Date.now() + days * 86_400_000),
            revoked_at: null,
          })),
        )
        .execute();
    await tokens(silent.id, 100, 2);
    await tokens(viewer.id, 100, 2);
    await tokens(other.id, 1, 3);
    await watchTokens(db);
    expect(await rows(silent)).toEqual([]);
    expect(await rows(other)).toMatchObject([{ kind: 'token_expiring', hidden: false }]);
  });
});
