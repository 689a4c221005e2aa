import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { recheckSsoDomains } from '../../../jobs/teams/ssoDomains';
import { mailsTo } from '../../../testing/mail';
import { startSsoWorld, type SsoTeam, type SsoWorld } from './testing/world';

/** The TXT record is looked up daily. The tests move the stored times back. */
let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

const DAY = 24 * 3600;
const connectionOf = async ({ owner, slug }: SsoTeam) =>
  (await owner.call('getSso', { path: { slug } })).body.connection!;
const record = ({ domain }: SsoTeam) => `_teehouse-challenge.${domain}`;
const templates = async ({ owner }: SsoTeam) =>
  (await mailsTo(world.server.services, owner.email ?? '')).map(({ template }) => template);
const identity = (team: SsoTeam) => ({ sub: 'ada', email: `ada@${team.domain}`, email_verified: true });

/** Moves every stored time of the team's proof back by this many seconds. */
async function moveBack(team: SsoTeam, seconds: number): Promise<void> {
  const back = (column: string) =>
    sql`${sql.ref(column)} = ${sql.ref(column)} - make_interval(secs => ${seconds})`;
  await sql`update sso_connections set ${back('domain_verified_at')}, ${back('domain_checked_at')},
    ${back('domain_seen_at')}, ${back('domain_missing_since')} where domain = ${team.domain}`.execute(
    world.server.services.db,
  );
}
async function nextCheck(team: SsoTeam, seconds = DAY + 60): Promise<void> {
  await moveBack(team, seconds);
  const { db, dns, mail, log } = world.server.services;
  await recheckSsoDomains({ db, dns, outbox: mail, log });
}

it('suspends a connection whose record is missing for a week, and restores it with the record', async () => {
  const team = await world.team({ enforced: true, default_role: 'member' });
  const inside = (await team.signIn(identity(team))).client!;
  await nextCheck(team);
  expect(await connectionOf(team)).toMatchObject({ domain_missing_since: null, suspended_at: null });

  world.dns.txt.delete(record(team));
  await nextCheck(team);
  const warned = await connectionOf(team);
  expect(warned).toMatchObject({ suspended_at: null, domain_missing_since: expect.any(String) as string });
  const grace = Date.parse(warned.suspends_at ?? '') - Date.parse(warned.domain_missing_since ?? '');
  expect(grace).toBe(7 * DAY * 1000);
  expect(await templates(team)).toContain('sso_domain_missing');
  expect((await team.signIn(identity(team))).client).not.toBeNull();

  await nextCheck(team, 8 * DAY);
  expect((await connectionOf(team)).suspended_at).not.toBeNull();
  expect(await templates(team)).toContain('sso_suspended');
  expect((await inside.call('getSession')).body.user).toBeNull();
  const start = await world.server.anonymous.call('startSso', { body: { team_slug: team.slug } });
  expect([start.status, JSON.stringify(start.body)]).toEqual([401, expect.stringContaining('is suspended')]);
  const found = await world.server.anonymous.call('discoverSso', { body: { email: `x@${team.domain}` } });
  expect(found.body).toEqual({ connection: null });

  await team.publish();
  await nextCheck(team);
  expect(await connectionOf(team)).toMatchObject({
    suspended_at: null,
    domain_missing_since: null,
    enforced: true,
  });
  expect(await templates(team)).toContain('sso_restored');
  expect((await team.signIn(identity(team))).client).not.toBeNull();
  const audit = await world.server.services.db
    .selectFrom('audit_log')
    .select('action')
    .where('target_id', '=', warned.id)
    .execute();
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['sso.domain_missing', 'sso.suspended', 'sso.restored']),
  );
});

it('lets members sign in by password while a required connection is suspended', async () => {
  const team = await world.team({ enforced: true, default_role: 'member' });
  const member = await world.server.register(`member@${team.domain}`);
  const { db } = world.server.services;
  await sql`insert into memberships (team_id, user_id, role)
    select t.id, u.id, 'member' from teams t, users u
    where t.slug = ${team.slug} and u.email = ${member.email}`.execute(db);
  const enter = async () => (await member.call('getWorkspace', { path: { slug: team.slug } })).status;
  expect(await enter()).toBe(403);
  world.dns.txt.delete(record(team));
  await nextCheck(team);
  expect(await enter()).toBe(403);
  await nextCheck(team, 8 * DAY);
  expect(await enter()).toBe(200);
  // An admin can verify immediately.
  await team.publish();
  const verified = await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
  expect(verified.body).toMatchObject({ verified: true, problem: null });
  expect(await enter()).toBe(403);
});

it('tolerates DNS failures until the record has not been seen for a month', async () => {
  const team = await world.team();
  world.dns.broken.add(record(team));
  await nextCheck(team);
  await nextCheck(team, 8 * DAY);
  expect(await connectionOf(team)).toMatchObject({ domain_missing_since: null, suspended_at: null });
  await nextCheck(team, 22 * DAY);
  expect(await connectionOf(team)).toMatchObject({
    domain_missing_since: expect.any(String) as string,
    suspended_at: null,
  });
  await nextCheck(team, 8 * DAY);
  expect((await connectionOf(team)).suspended_at).not.toBeNull();
});

it('lets another team prove the domain of a suspended connection', async () => {
  const first = await world.team({ domain: 'sold.test' });
  world.dns.txt.delete(record(first));
  await nextCheck(first);
  await nextCheck(first, 8 * DAY);
  const second = await world.team({ domain: 'sold.test' });
  expect((await connectionOf(second)).domain_verified_at).not.toBeNull();
  const both = [await connectionOf(first), await connectionOf(second)].map(({ txt_value }) => [txt_value]);
  world.dns.txt.set(record(first), both);
  await nextCheck(first);
  expect((await connectionOf(first)).suspended_at).not.toBeNull();
  expect((await connectionOf(second)).suspended_at).toBeNull();
});
