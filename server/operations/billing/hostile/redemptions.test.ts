import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database';
import { isRedeemable } from '../../../db/billing/promotionCodes';

const TEAMS = 4_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await sql`insert into promotion_codes (code, amount_micros, max_uses_per_team, welcome, minimum_micros)
    values ('POPULAR', 5000000, 1, true, 5000000)`.execute(db);
  await sql`insert into teams (public_id, slug, name, wallet_address)
    select 'wks_' || n, 'team-' || n, 'Team ' || n, '0x' from generate_series(1, ${TEAMS + 1}) n`.execute(db);
  await sql`insert into promotion_redemptions (code_id, team_id, card_fingerprint)
    select (select id from promotion_codes), id, 'card of ' || slug from teams where slug <> 'team-1'`.execute(
    db,
  );
  await sql`analyze promotion_redemptions, promotion_codes, teams, memberships, payments, team_cards`.execute(
    db,
  );
}, 120_000);
afterAll(() => database.drop());

const asked = async (slug: string, card_fingerprint: string | null) => {
  const { id: team_id } = await database.db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  return sql`select code from promotion_codes c
    where ${isRedeemable({ team_id, user_id: null, card_fingerprint, welcome: true })}`;
};

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
const readBy = ({ Plans = [], ...node }: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] +
  Plans.reduce((sum, part) => sum + readBy(part), 0);

it('reads only a team’s own redemptions, however many teams have redeemed a code', async () => {
  const query = await asked('team-1', 'a new card');
  expect((await query.execute(database.db)).rows).toHaveLength(1);
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`
    explain (analyze, format json) ${query}`.execute(database.db);
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  expect(plan && readBy(plan.Plan)).toBeLessThan(TEAMS / 10);
});

it('counts redemptions of the team, and with its card', async () => {
  const usable = async (...by: Parameters<typeof asked>) =>
    (await (await asked(...by)).execute(database.db)).rows.length === 1;
  expect(await usable('team-1', null)).toBe(true);
  expect(await usable('team-2', null)).toBe(false);
  expect(await usable('team-1', 'card of team-2')).toBe(false);
});
