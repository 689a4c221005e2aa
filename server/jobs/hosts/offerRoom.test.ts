import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { offerRefusal } from '../../db/hosts/waits/offerRefusal';
import { ratesOf } from '../../domain/billing/pricing';
import { firstInLine, leaveSizeLine, lineQuery } from '../../db/hosts/waits/sizeWaits';
import { fill } from '../../testing/fill';
import { startWaitlist, UNIT, type Waitlist } from './testing/waitlist';

/* Room is offered to waiting teams in turn. How it is held for them: heldRoom.test.ts. */

let list: Waitlist;
beforeAll(async () => {
  list = await startWaitlist();
});
afterAll(() => list.drop());
beforeEach(() => list.reset());

describe('turns', () => {
  it('makes every waiting team one offer before any team gets its second', async () => {
    await list.wait(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
    await list.room(3);
    expect(await list.offers()).toEqual(['a1', 'b1', 'c1']);
    await list.room(4);
    expect(await list.offers()).toEqual(['a2']);
    await list.room(10);
    expect(await list.offers()).toEqual(['a3', 'a4']);
  });

  it('counts as one team whatever sizes its members wait for', async () => {
    await list.wait(['a1']);
    await list.wait(['a2'], { ...UNIT, vcpu: 5 });
    await list.wait(['b1'], UNIT, 1);
    await list.room(2);
    expect(await list.offers()).toEqual(['a1', 'b1']);
  });

  it('gives a team its second offer in the same run once every other team has one', async () => {
    await list.wait(['a1', 'a2', 'a3', 'b1', 'b2']);
    await list.room(4);
    expect(await list.offers()).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('starts with the team that was offered room longest ago, not with the longest wait', async () => {
    await list.wait(['a1', 'b1', 'c1', 'd1']);
    await list.offered('a', '1 hour');
    await list.offered('b', '3 hours');
    await list.offered('c', '2 hours');
    for (const [i, next] of ['d1', 'b1', 'c1', 'a1'].entries()) {
      await list.room(i + 1);
      expect(await list.offers()).toEqual([next]);
    }
  });

  it('remembers a turn for a week, so that new teams don’t keep a team waiting forever', async () => {
    await list.wait(['a1'], UNIT, 20);
    await list.wait(['b1'], UNIT, 2);
    await list.offered('a', '6 days 23 hours');
    await list.room(1);
    expect(await list.offers()).toEqual(['b1']);
    await sql`delete from gpu_waits where team_id = ${list.ids.b}`.execute(list.db);
    await sql`update teams set room_offered_at = null`.execute(list.db);
    await list.wait(['b1'], UNIT, 2);
    await list.offered('a', '7 days 1 hour');
    expect(await list.offers()).toEqual(['a1']);
  });

  it('remembers a turn also if the member leaves the line or joins it again', async () => {
    await list.wait(['a1', 'a2', 'b1']);
    await list.room(1);
    expect(await list.offers()).toEqual(['a1']);
    await withTransaction(list.db, (trx) => leaveSizeLine(trx, { team_id: list.ids.a, user_id: 1 }));
    expect(await list.offers()).toEqual(['b1']);
  });

  it('goes by waiting time within a team, and skips what no host has room for', async () => {
    await list.wait(['a1'], { ...UNIT, vcpu: 900 });
    await list.wait(['a3', 'a2'], UNIT, 5);
    await list.room(1);
    expect(await list.offers()).toEqual(['a3']);
  });

  it('passes over teams that couldn’t deploy, until they can', async () => {
    await list.wait(['a1', 'b1']);
    await list.room(1);
    await sql`update teams set max_vcpu = 9 where id = ${list.ids.a}`.execute(list.db);
    expect(await list.offers()).toEqual(['b1']);
    await sql`update teams set max_vcpu = 10 where id = ${list.ids.a}`.execute(list.db);
    await list.room(2);
    expect(await list.offers()).toEqual(['a1']);
  });

  it('passes over members who are locked out by their team for lack of a second factor', async () => {
    await list.wait(['a1', 'b1']);
    await list.room(1);
    await sql`update teams set require_second_factor = true where id = ${list.ids.a}`.execute(list.db);
    expect(await list.offers()).toEqual(['b1']);
    await sql`update users set second_factor_at = now() where id = 1`.execute(list.db);
    await list.room(2);
    expect(await list.offers()).toEqual(['a1']);
    await sql`update teams set require_second_factor = false`.execute(list.db);
    await sql`update users set second_factor_at = null`.execute(list.db);
  });

  it('holds no more for a team than its quota allows', async () => {
    await sql`update teams set max_vcpu = 20 where id = ${list.ids.a}`.execute(list.db);
    await list.wait(['a1', 'a2', 'a3']);
    await list.room(10);
    expect(await list.offers()).toEqual(['a1', 'a2']);
    await list.holdsEnd();
    expect(await list.offers()).toEqual(['a3']);
  });

  it('holds no more for a team than it can pay for while billing is enforced', async () => {
    const hourly = ratesOf(UNIT, null).hourly_rate_micros;
    const funds = (hours: number) =>
      sql`update teams set post_paid_cap_micros = ${Math.floor(hours * hourly)} where id = ${list.ids.a}`.execute(
        list.db,
      );
    await funds(2.5);
    await list.wait(['a1', 'a2', 'a3']);
    await list.room(10);
    expect(await list.offers(true)).toEqual(['a1', 'a2']);
    expect(await list.offers(true)).toEqual([]);
    await list.holdsEnd();
    expect(await list.offers(true)).toEqual(['a3']);
    await funds(0);
  });

  it('offers nothing to a team without funds while billing is enforced', async () => {
    await list.wait(['a1']);
    await list.room(1);
    const need = { size: UNIT, gpus: 0, type: null };
    const asking = { team_id: list.ids.a, need, billingEnforced: true };
    expect(await offerRefusal(list.db, asking)).toBe('funds');
    expect(await list.offers(true)).toEqual([]);
    await sql`update teams set post_paid_cap_micros = 1000000000 where id = ${list.ids.a}`.execute(list.db);
    expect(await offerRefusal(list.db, asking)).toBeNull();
    expect(await list.offers(true)).toEqual(['a1']);
    await sql`update teams set post_paid_cap_micros = 0`.execute(list.db);
  });
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

it('reads one row per team and size, however many members wait, and misses none', async () => {
  await fill(list.db, async (trx) => {
    await sql`
      insert into users (public_id, email, username, email_verified_at)
      select 'usr_m' || n, 'm' || n || '@example.test', 'm' || n, now() from generate_series(1, 12000) n`.execute(
      trx,
    );
    await sql`
      insert into memberships (team_id, user_id, role)
      select t.id, u.id, 'member' from teams t, users u where u.username like 'm%' and t.id in (${list.ids.a}, ${list.ids.b})`.execute(
      trx,
    );
    await sql`
      insert into gpu_waits (team_id, user_id, gpus, vcpu, memory_mb, disk_gb, created_at)
      select m.team_id, m.user_id, 0, case when u.id % 2 = 0 then 900 else 901 end, 2048, 10, now() - interval '1 day'
      from memberships m join users u on u.id = m.user_id where u.username like 'm%'`.execute(trx);
  });
  await list.wait(['c1'], UNIT, 1);
  await sql`analyze users, teams, memberships, gpu_waits`.execute(list.db);
  // 24,000 members of other teams are before the last in line.
  await list.room(1);
  expect(await list.offers()).toEqual(['c1']);
  expect((await firstInLine(list.db)).map(({ team_id, vcpu }) => [team_id, vcpu]).sort()).toEqual(
    [
      [list.ids.a, 900],
      [list.ids.a, 901],
      [list.ids.b, 900],
      [list.ids.b, 901],
    ].sort(),
  );
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (analyze, format json) ${lineQuery()}`.execute(list.db);
  const readBy = ({ Plans = [], ...node }: PlanNode): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
    Plans.reduce((sum, part) => sum + readBy(part), 0);
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  expect(plan && readBy(plan.Plan)).toBeLessThan(1_000);
  await sql`delete from gpu_waits`.execute(list.db);
});
