import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { startTestServer, type TestServer } from '../../testing/server';
import {
  auditOf,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  LAST_OWNER,
  addMember,
  NOT_FOUND,
  registerUser,
  addMembership,
  STEP_UP,
  type TestMember,
} from './testing/members';

let server: TestServer;
let owner: TestMember;
let stranger: TestMember;
beforeAll(async () => {
  server = await startTestServer();
  owner = await registerUser(server, 'owner@example.test');
  stranger = await registerUser(server, 'stranger@example.test');
});
afterAll(() => server.stop());

let teams = 0;
/** Creates a team owned by `owner`. */
async function makeTeam(): Promise<string> {
  const slug = `members-${++teams}`;
  const made = await owner.client.call('createWorkspace', { body: { name: slug, slug } });
  expect(made.status).toBe(201);
  return slug;
}
const roleIn = async (slug: string, who: TestMember) => {
  const { status, body } = await who.client.call('getWorkspace', { path: { slug } });
  return status === 200 ? body.role : null;
};
const teamId = async (slug: string) =>
  (
    await server.services.db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
  ).id;
const update = (who: TestMember, slug: string, user_id: string, role: string) =>
  who.client.call('updateMember', { path: { slug, user_id }, body: { role } });
const remove = (who: TestMember, slug: string, user_id: string) =>
  who.client.call('deleteMember', { path: { slug, user_id } });
const leave = (who: TestMember, slug: string) => who.client.call('leaveWorkspace', { path: { slug } });
const expireConfirmation = (who: TestMember) =>
  server.services.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
    .where('user_id', '=', who.user_id)
    .execute();
const renewConfirmation = (who: TestMember) =>
  server.services.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date() })
    .where('user_id', '=', who.user_id)
    .execute();

describe('listMembers', () => {
  it('lists owners first, then by name, in pages, and searches names and addresses', async () => {
    const slug = await makeTeam();
    for (const name of ['zoe', 'Anna', 'mia', 'Émile'])
      await server.services.db
        .updateTable('users')
        .set({ username: name })
        .where('id', '=', (await addMember(server, slug, name === 'zoe' ? 'owner' : 'viewer')).user_id)
        .execute();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { status, body } = await owner.client.call('listMembers', {
        path: { slug },
        query: { limit: 2, cursor },
      });
      expect(status).toBe(200);
      expect(body.pagination.total).toBe(5);
      seen.push(...body.data.map(({ username }) => username));
      cursor = body.pagination.next_cursor ?? undefined;
    } while (cursor);
    expect(seen.slice(0, 2)).toEqual(['owner', 'zoe']);
    expect(seen.slice(2).toSorted()).toEqual(['Anna', 'mia', 'Émile'].toSorted());
    const found = await owner.client.call('listMembers', { path: { slug }, query: { q: 'OWNER@exa' } });
    expect(found.body.data).toMatchObject([
      { email: 'owner@example.test', role: 'owner', is_you: true, via_sso: false },
    ]);
    const { joined_at, last_seen_at } = found.body.data[0]!;
    expect(Date.parse(last_seen_at!)).toBeGreaterThanOrEqual(Date.parse(joined_at));
    expect((await owner.client.call('listMembers', { path: { slug }, query: { q: '%' } })).body.data).toEqual(
      [],
    );
    expect(
      codeOf(await owner.client.call('listMembers', { path: { slug }, query: { cursor: 'x' } })),
    ).toMatch('422');
    expect(codeOf(await stranger.client.call('listMembers', { path: { slug } }))).toBe(NOT_FOUND);
  });
});

describe('roles', () => {
  it('can be changed by admins, but owners’ roles only by owners, immediately and with an email and audit entry', async () => {
    const slug = await makeTeam();
    const admin = await addMember(server, slug, 'admin');
    const target = await addMember(server, slug, 'viewer');
    expect(codeOf(await update(target, slug, admin.id, 'viewer'))).toBe(FORBIDDEN);
    const changed = await update(admin, slug, target.id, 'admin');
    expect(changed.body).toMatchObject({ id: target.id, role: 'admin' });
    expect(codeOf(await target.client.call('listInvitations', { path: { slug } }))).toBe('200');
    expect(codeOf(await update(admin, slug, target.id, 'owner'))).toBe(FORBIDDEN);
    expect(codeOf(await update(admin, slug, owner.id, 'member'))).toBe(FORBIDDEN);
    expect(codeOf(await remove(admin, slug, owner.id))).toBe(FORBIDDEN);
    expect(codeOf(await update(owner, slug, target.id, 'billing'))).toBe('200');
    expect(codeOf(await target.client.call('listInvitations', { path: { slug } }))).toBe(FORBIDDEN);
    expect(codeOf(await update(owner, slug, target.id, 'owner'))).toBe('200');
    expect(await roleIn(slug, target)).toBe('owner');
    // The same role again changes nothing.
    expect(codeOf(await update(owner, slug, target.id, 'owner'))).toBe('200');
    const mails = (await mailsTo(server.services, target.email)).filter(
      ({ template }) => template === 'role_changed',
    );
    expect(mails).toHaveLength(3);
    expect(mails[0]?.text).toContain('from viewer to admin');
    expect((await auditOf(server, slug, 'member.role')).map(({ before, after }) => [before, after])).toEqual([
      [{ role: 'billing' }, { role: 'owner' }],
      [{ role: 'admin' }, { role: 'billing' }],
      [{ role: 'viewer' }, { role: 'admin' }],
    ]);
  });

  it('cannot be changed by members for themselves or across teams', async () => {
    const slug = await makeTeam();
    const admin = await addMember(server, slug, 'admin');
    expect(codeOf(await update(admin, slug, admin.id, 'viewer'))).toBe(FORBIDDEN);
    expect(codeOf(await remove(admin, slug, admin.id))).toBe(FORBIDDEN);
    expect(codeOf(await update(owner, slug, owner.id, 'admin'))).toBe(LAST_OWNER);
    expect(codeOf(await remove(owner, slug, owner.id))).toBe(LAST_OWNER);
    expect(codeOf(await update(owner, slug, stranger.id, 'viewer'))).toBe(NOT_FOUND);
    expect(codeOf(await remove(owner, slug, stranger.id))).toBe(NOT_FOUND);
    expect(codeOf(await update(stranger, slug, admin.id, 'viewer'))).toBe(NOT_FOUND);
    expect(codeOf(await update(owner, slug, admin.id, 'emperor'))).toMatch('422');
  });

  it('apply in the team addressed by the path, whichever team the session selects', async () => {
    const [mine, theirs] = [await makeTeam(), await makeTeam()];
    const target = await addMember(server, theirs, 'member');
    const both = await addMember(server, mine, 'admin');
    await addMembership(server, theirs, both, 'viewer');
    for (const workspace of [mine, theirs]) {
      const named = { ...both, client: both.client.with({ 'x-workspace': workspace }) };
      expect(codeOf(await update(named, theirs, target.id, 'viewer'))).toBe(FORBIDDEN);
      expect(codeOf(await remove(named, theirs, target.id))).toBe(FORBIDDEN);
      expect(codeOf(await named.client.call('listInvitations', { path: { slug: theirs } }))).toBe(FORBIDDEN);
      expect(codeOf(await named.client.call('listInvitations', { path: { slug: mine } }))).toBe('200');
    }
    const deploy = (slug: string) =>
      both.client.with({ 'x-workspace': slug }).call('provisionCvm', { body: { name: 'sneaky-app' } });
    expect(codeOf(await deploy(theirs))).toBe(FORBIDDEN);
    expect(codeOf(await deploy(mine))).not.toBe(FORBIDDEN);
    const token = await insertToken(server.services.db, {
      team_id: await teamId(mine),
      user_id: both.user_id,
    });
    const by = server.anonymous.with({ 'x-api-key': token });
    expect(codeOf(await by.call('getWorkspace', { path: { slug: theirs } }))).toBe(NOT_FOUND);
    expect(codeOf(await by.with({ 'x-workspace': theirs }).call('listApps'))).toBe(NOT_FOUND);
    expect(await roleIn(theirs, target)).toBe('member');
  });
});

describe('removing a member', () => {
  it('revokes only the tokens of that team, and needs a recent confirmation', async () => {
    const slug = await makeTeam();
    const target = await addMember(server, slug, 'member');
    const { db } = server.services;
    const token = await insertToken(db, { team_id: await teamId(slug), user_id: target.user_id });
    const own = (await target.client.call('listWorkspaces')).body.data.find(
      (team) => team.slug !== slug,
    )!.slug;
    const kept = await insertToken(db, { team_id: await teamId(own), user_id: target.user_id });
    await target.client.call('setDefaultWorkspace', { path: { slug } });
    await expireConfirmation(owner);
    expect(codeOf(await remove(owner, slug, target.id))).toBe(STEP_UP);
    expect(await roleIn(slug, target)).toBe('member');
    await renewConfirmation(owner);
    expect((await remove(owner, slug, target.id)).status).toBe(204);
    expect(await roleIn(slug, target)).toBeNull();
    const by = (key: string) => server.anonymous.with({ 'x-api-key': key }).call('listApps');
    expect([(await by(token)).status, (await by(kept)).status]).toEqual([401, 200]);
    // Their session continues, and their default team is one they belong to.
    expect((await target.client.call('listWorkspaces')).body.data).toMatchObject([
      { slug: own, is_default: true },
    ]);
    expect((await mailsTo(server.services, target.email)).at(-1)).toMatchObject({
      template: 'removed_from_team',
    });
    expect(await auditOf(server, slug, 'member.remove')).toMatchObject([
      { before: { role: 'member', tokens: 1 }, target_id: target.id, actor_user_id: owner.user_id },
    ]);
    // Rejoining revives nothing.
    await addMembership(server, slug, target, 'member');
    expect((await by(token)).status).toBe(401);
  });
});

describe('leaving a team', () => {
  it('is open to everyone except the last owner, even without a required second factor', async () => {
    const slug = await makeTeam();
    const viewer = await addMember(server, slug, 'viewer');
    await server.services.db
      .updateTable('teams')
      .set({ require_second_factor: true })
      .where('slug', '=', slug)
      .execute();
    expect((await viewer.client.call('getWorkspace', { path: { slug } })).status).toBe(403);
    expect((await leave(viewer, slug)).status).toBe(204);
    await server.services.db
      .updateTable('teams')
      .set({ require_second_factor: false })
      .where('slug', '=', slug)
      .execute();
    expect(codeOf(await leave(viewer, slug))).toBe(NOT_FOUND);
    expect(codeOf(await leave(stranger, slug))).toBe(NOT_FOUND);
    expect(codeOf(await leave(owner, slug))).toBe(LAST_OWNER);
    const second = await addMember(server, slug, 'owner');
    // An owner who can't sign in doesn't count.
    const { db } = server.services;
    await db.updateTable('users').set({ state: 'suspended' }).where('id', '=', second.user_id).execute();
    expect(codeOf(await leave(owner, slug))).toBe(LAST_OWNER);
    await db.updateTable('users').set({ state: 'active' }).where('id', '=', second.user_id).execute();
    expect((await leave(owner, slug)).status).toBe(204);
    expect(await auditOf(server, slug, 'member.leave')).toHaveLength(2);
  });

  it('lets only one of two owners leave concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = await makeTeam();
      const second = await addMember(server, slug, 'owner');
      const codes = await Promise.all([leave(owner, slug), leave(second, slug)]);
      expect(codes.map(codeOf).toSorted()).toEqual(['204', LAST_OWNER]);
    }
  });

  it('keeps one owner when two demote and remove each other concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const slug = await makeTeam();
      const second = await addMember(server, slug, 'owner');
      const codes = (
        await Promise.all([update(owner, slug, second.id, 'viewer'), remove(second, slug, owner.id)])
      ).map(codeOf);
      expect(
        codes.filter((code) => /^20\d/.test(code)),
        codes.join(),
      ).toHaveLength(1);
      const owners = await server.services.db
        .selectFrom('memberships')
        .select('user_id')
        .where('team_id', '=', await teamId(slug))
        .where('role', '=', 'owner')
        .execute();
      expect(owners).toHaveLength(1);
    }
  });
});

describe('transferring a team', () => {
  it('swaps the roles of owner and member, notifies both, and needs a recent confirmation', async () => {
    const slug = await makeTeam();
    const successor = await addMember(server, slug, 'viewer');
    const admin = await addMember(server, slug, 'admin');
    const transfer = (who: TestMember, user_id: string) =>
      who.client.call('transferWorkspace', { path: { slug }, body: { user_id } });
    expect(codeOf(await transfer(admin, successor.id))).toBe(FORBIDDEN);
    expect(codeOf(await transfer(stranger, successor.id))).toBe(NOT_FOUND);
    expect(codeOf(await transfer(owner, stranger.id))).toBe(NOT_FOUND);
    expect(codeOf(await transfer(owner, owner.id))).toBe(CONFLICT);
    await expireConfirmation(owner);
    expect(codeOf(await transfer(owner, successor.id))).toBe(STEP_UP);
    await renewConfirmation(owner);
    expect((await transfer(owner, successor.id)).body).toMatchObject({ slug, role: 'admin' });
    expect([await roleIn(slug, owner), await roleIn(slug, successor)]).toEqual(['admin', 'owner']);
    const subject = async (email: string) => (await mailsTo(server.services, email)).at(-1)?.subject;
    expect(await subject(successor.email)).toContain('You now own the team');
    expect(await subject(owner.email)).toContain('has a new owner');
    expect(await auditOf(server, slug, 'team.transfer')).toMatchObject([
      { before: { owner: owner.id }, after: { owner: successor.id } },
    ]);
    expect(codeOf(await transfer(owner, admin.id))).toBe(FORBIDDEN);
  });

  it('is rejected for a suspended user', async () => {
    const slug = await makeTeam();
    const successor = await addMember(server, slug, 'admin');
    await server.services.db
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('id', '=', successor.user_id)
      .execute();
    const transfer = { path: { slug }, body: { user_id: successor.id } };
    const refused = await owner.client.call('transferWorkspace', transfer);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('is suspended');
  });

  it('happens once under concurrent requests', async () => {
    const slug = await makeTeam();
    const candidates = [await addMember(server, slug, 'member'), await addMember(server, slug, 'member')];
    const codes = await Promise.all(
      candidates.map(({ id }) =>
        owner.client.call('transferWorkspace', { path: { slug }, body: { user_id: id } }),
      ),
    );
    expect(codes.map(codeOf).toSorted()).toEqual(['200', FORBIDDEN]);
  });
});
