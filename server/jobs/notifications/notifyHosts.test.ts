import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { insertCvm, insertHost } from '../../testing/cvmFixtures';
import { fanOutEvents } from './notifyFeed';
import { watchHosts } from './notifyTroubles';
import {
  prepareNotifications,
  db,
  app,
  at,
  pass,
  mail,
  rows,
  person,
  mailsOf,
} from '../core/testing/notifying';

prepareNotifications();

describe('a silent host', () => {
  const silent = async () => {
    const other = await insertHost(db);
    await insertCvm(db, { ...app, host: other });
    await sql`update teepods set reachable = false where id = ${other.teepod.id}`.execute(db);
    await watchHosts(db);
    return other.teepod;
  };
  const look = async () => {
    await watchHosts(db);
    await fanOutEvents(db, 'https://cloud.example.test', () => at);
  };
  const told = async () => {
    const teepod = await silent();
    await sql`update host_troubles set since = now() - interval '3 minutes' where teepod_id = ${teepod.id}`.execute(
      db,
    );
    await look();
    pass(6);
    await mail();
    return teepod;
  };
  const state = (id: number, value: 'offline' | 'online') =>
    db.updateTable('teepods').set({ state: value }).where('id', '=', id).execute();
  const troubles = () => db.selectFrom('host_troubles').selectAll().execute();

  it('that an administrator takes out of service is no longer reported as not responding', async () => {
    const who = await person('member');
    const teepod = await told();
    expect(await rows(who)).toMatchObject([{ resolved_at: null, mailed_state: 'open' }]);
    await state(teepod.id, 'offline');
    await look();
    await look();
    expect(await rows(who)).toMatchObject([
      {
        title: `The host ${teepod.name} isn’t responding`,
        message: `The host ${teepod.name} was taken out of service`,
        resolved_at: expect.any(Date) as Date,
      },
    ]);
    expect(await troubles()).toEqual([]);
    await db
      .updateTable('notifications')
      .set({ mail_due_at: at })
      .where('mail_due_at', 'is not', null)
      .execute();
    await mail();
    const mails = await mailsOf(who);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `The host ${teepod.name} isn’t responding`,
      `Resolved: The host ${teepod.name} isn’t responding`,
    ]);
    expect(mails[1]!.text).toContain('was taken out of service');
    // Back in service without responding: the team hears about it again.
    await state(teepod.id, 'online');
    await look();
    await sql`update host_troubles set since = now() - interval '3 minutes'`.execute(db);
    await look();
    expect((await rows(who)).filter(({ resolved_at }) => resolved_at === null)).toHaveLength(1);
    await state(teepod.id, 'offline');
    await look();
  });

  it('that is taken out of service before its silence was reported is never reported', async () => {
    const who = await person('member');
    const { id } = await silent();
    expect(await troubles()).toHaveLength(1);
    await state(id, 'offline');
    await sql`update host_troubles set since = now() - interval '3 minutes'`.execute(db);
    await look();
    expect(await troubles()).toEqual([]);
    expect(await rows(who)).toEqual([]);
  });
});
