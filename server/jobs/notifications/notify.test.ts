import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { savePreferences } from '../../db/notifications/notificationSettings';
import { insertTeam } from '../../testing/teamFixtures';
import {
  prepareNotifications,
  db,
  team,
  cvm,
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

describe('recipients', () => {
  it('are members the kind concerns; mail goes to those who deploy and confirmed their address', async () => {
    const [member, viewer, unconfirmed, suspended] = [
      await person('member'),
      await person('viewer'),
      await person('owner', { confirmed: false }),
      await person('owner', { state: 'suspended' }),
    ];
    await happen('update.failed', cvm, 'Update failed: it did not boot.');
    pass(5);
    await mail();
    expect(await rows(member)).toMatchObject([
      {
        kind: 'operation_failed',
        title: `Update failed: ${cvm.name}`,
        message: 'it did not boot.',
        severity: 'error',
        hidden: false,
      },
    ]);
    expect(await rows(viewer)).toHaveLength(1);
    expect(await rows(unconfirmed)).toHaveLength(1);
    expect(await rows(suspended)).toHaveLength(0);
    expect(await mailsOf(member)).toHaveLength(1);
    for (const one of [viewer, unconfirmed, suspended]) expect(await mailsOf(one)).toEqual([]);
  });

  it('exclude users outside the team, those who left before the mail, and those lacking a required second factor', async () => {
    const [leaving, staying] = [await person('member'), await person('member')];
    const elsewhere = await insertTeam(db, `else-${team.slug}`);
    const outside = await person('member');
    await sql`update memberships set team_id = ${elsewhere.id} where user_id = ${outside.id}`.execute(db);
    await happen('update.failed');
    await db.deleteFrom('memberships').where('user_id', '=', leaving.id).execute();
    pass(5);
    await mail();
    expect(await rows(leaving)).toEqual([]);
    expect(await mailsOf(leaving)).toEqual([]);
    expect(await rows(outside)).toEqual([]);
    expect(await mailsOf(staying)).toHaveLength(1);
    await sql`update teams set require_second_factor = true where id = ${team.id}`.execute(db);
    await happen('start.failed', await another());
    expect(await rows(staying)).toHaveLength(1);
  });

  it('follow their settings, read again when the mail is sent', async () => {
    const [console_only, mail_only, neither, changes] = [
      await person('member'),
      await person('member'),
      await person('member'),
      await person('member'),
    ];
    const wish = (who: Person, shown: boolean, mailed: boolean) =>
      db
        .transaction()
        .execute((trx) =>
          savePreferences(trx, who.id, [
            { team_id: team.id, kind: 'operation_failed', console: shown, mail: mailed },
          ]),
        );
    await wish(console_only, true, false);
    await wish(mail_only, false, true);
    await wish(neither, false, false);
    await happen('update.failed');
    await wish(changes, true, false);
    pass(5);
    await mail();
    expect([await rows(console_only), await mailsOf(console_only)].map((list) => list.length)).toEqual([
      1, 0,
    ]);
    expect((await rows(mail_only)).map(({ hidden }) => hidden)).toEqual([true]);
    expect(await mailsOf(mail_only)).toHaveLength(1);
    expect([await rows(neither), await mailsOf(neither)]).toEqual([[], []]);
    expect([await rows(changes), await mailsOf(changes)].map((list) => list.length)).toEqual([1, 0]);
    // When the problem recurs, the settings of then decide where it is shown.
    await wish(mail_only, true, true);
    await wish(console_only, false, true);
    await happen('update.failed');
    expect(await rows(mail_only)).toMatchObject([{ count: 2, hidden: false }]);
    expect(await rows(console_only)).toMatchObject([{ count: 2, hidden: true }]);
  });
});
