import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost, insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { eventually, startTestServer, type TestServer } from '../../testing/server';
import {
  auditOf,
  codeOf,
  FACTOR_MISSING,
  FORBIDDEN,
  IN_USE,
  INVALID,
  addMember,
  NOT_FOUND,
  registerUser,
  SLUG_RESERVED,
  SLUG_TAKEN,
  STEP_UP,
  type TestMember,
} from './testing/members';

let server: TestServer;
let owner: TestMember;
let stranger: TestMember;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await registerUser(server, 'owner@example.test');
  stranger = await registerUser(server, 'stranger@example.test');
});
afterAll(() => server.stop());

const make = async (slug: string, who = owner) => {
  const made = await who.client.call('createWorkspace', { body: { name: slug, slug } });
  return codeOf(made);
};
const update = (slug: string, body: object, who = owner) =>
  who.client.call('updateWorkspace', { path: { slug }, body });
const remove = (slug: string, typed = slug, who = owner) =>
  who.client.call('deleteWorkspace', { path: { slug }, body: { slug: typed } });
const teamId = async (slug: string) =>
  (
    await server.services.db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
  ).id;

describe('updateWorkspace', () => {
  it('renames a team and keeps its former slug reserved for it', async () => {
    await make('old-name');
    const { body } = await update('old-name', { name: ' New name ', slug: 'new-name' });
    expect(body).toMatchObject({ name: 'New name', slug: 'new-name', role: 'owner' });
    expect(codeOf(await owner.client.call('getWorkspace', { path: { slug: 'old-name' } }))).toBe(NOT_FOUND);
    const session = (await owner.client.call('getSession')).body;
    expect(session.teams.find(({ slug }) => slug === 'new-name')?.former_slugs).toEqual(['old-name']);
    expect(await make('old-name', stranger)).toBe(SLUG_TAKEN);
    expect(
      (await stranger.client.call('createWorkspace', { body: { name: 'Old name' } })).body,
    ).toMatchObject({
      slug: 'old-name-2',
    });
    expect(codeOf(await update('old-name-2', { slug: 'old-name' }, stranger))).toBe(SLUG_TAKEN);
    expect(codeOf(await update('old-name-2', { slug: 'new-name' }, stranger))).toBe(SLUG_TAKEN);
    expect(await auditOf(server, 'new-name', 'team.update')).toMatchObject([
      { before: { name: 'old-name', slug: 'old-name' }, after: { name: 'New name', slug: 'new-name' } },
    ]);
    // Its own former slug can be reclaimed.
    expect((await update('new-name', { slug: 'old-name' })).body).toMatchObject({ slug: 'old-name' });
    expect(await make('new-name', stranger)).toBe(SLUG_TAKEN);
  });

  it('rejects invalid slugs, empty names and unauthorized callers, and ignores unchanged values', async () => {
    await make('strict-team');
    expect(codeOf(await update('strict-team', { slug: 'admin' }))).toBe(SLUG_RESERVED);
    expect(codeOf(await update('strict-team', { slug: 'ab' }))).toBe(INVALID);
    expect(codeOf(await update('strict-team', { name: '   ' }))).toBe(INVALID);
    const inside = await addMember(server, 'strict-team', 'member');
    expect(codeOf(await update('strict-team', { name: 'Mine' }, inside))).toBe(FORBIDDEN);
    expect(codeOf(await update('strict-team', { name: 'Mine' }, stranger))).toBe(NOT_FOUND);
    const who = { team_id: await teamId('strict-team'), user_id: owner.user_id };
    const by = server.anonymous.with({ 'x-api-key': await insertToken(server.services.db, who) });
    expect(
      codeOf(await by.call('updateWorkspace', { path: { slug: 'strict-team' }, body: { name: 'x' } })),
    ).toBe(FORBIDDEN);
    expect(codeOf(await update('strict-team', { name: 'strict-team' }))).toBe('200');
    expect(await auditOf(server, 'strict-team', 'team.update')).toEqual([]);
  });

  it('gives a slug requested by two teams concurrently to one of them', async () => {
    for (let round = 0; round < 5; round++) {
      await make(`left-${round}`);
      await make(`right-${round}`, stranger);
      const wanted = { slug: `both-${round}` };
      const codes = await Promise.all([
        update(`left-${round}`, wanted),
        update(`right-${round}`, wanted, stranger),
        make(`both-${round}`, stranger),
      ]);
      const taken = codes.map((code) => (typeof code === 'string' ? code : codeOf(code)));
      expect(
        taken.filter((code) => code.startsWith('20')),
        taken.join(),
      ).toHaveLength(1);
      expect(taken.filter((code) => code === SLUG_TAKEN)).toHaveLength(2);
    }
  });

  it('keeps at most 20 former slugs', async () => {
    await make('wanderer-0');
    for (let i = 0; i < 20; i++)
      expect(codeOf(await update(`wanderer-${i}`, { slug: `wanderer-${i + 1}` }))).toBe('200');
    expect(codeOf(await update('wanderer-20', { slug: 'wanderer-21' }))).toBe(INVALID);
    expect(codeOf(await update('wanderer-20', { slug: 'wanderer-3' }))).toBe('200');
  });

  it('requires the caller to have a second factor before enforcing one', async () => {
    await make('guarded-team');
    const viewer = await addMember(server, 'guarded-team', 'viewer');
    expect(codeOf(await update('guarded-team', { require_second_factor: true }))).toBe(FACTOR_MISSING);
    const { db } = server.services;
    const now = new Date();
    await db.updateTable('users').set({ second_factor_at: now }).where('id', '=', owner.user_id).execute();
    await db
      .updateTable('sessions')
      .set({ second_factor_at: now })
      .where('user_id', '=', owner.user_id)
      .execute();
    expect((await update('guarded-team', { require_second_factor: true })).body).toMatchObject({
      require_second_factor: true,
    });
    const refused = await viewer.client.call('getWorkspace', { path: { slug: 'guarded-team' } });
    expect(codeOf(refused)).toBe('403 ERR-00-032');
    expect(codeOf(await owner.client.call('getWorkspace', { path: { slug: 'guarded-team' } }))).toBe('200');
  });
});

describe('the AI API of a team', () => {
  it('is turned off and on by owners and admins, with an audit entry', async () => {
    await make('quiet-team');
    const off = await update('quiet-team', { confidential_models_enabled: false });
    expect(off.body).toMatchObject({ name: 'quiet-team', confidential_models_enabled: false });
    const member = await addMember(server, 'quiet-team', 'member');
    expect(codeOf(await update('quiet-team', { confidential_models_enabled: true }, member))).toBe(FORBIDDEN);
    const read = await member.client.call('getWorkspace', { path: { slug: 'quiet-team' } });
    expect(read.body).toMatchObject({ confidential_models_enabled: false });
    const admin = await addMember(server, 'quiet-team', 'admin');
    expect(codeOf(await update('quiet-team', { confidential_models_enabled: true }, admin))).toBe('200');
    expect(codeOf(await update('quiet-team', { confidential_models_enabled: true }))).toBe('200');
    // The last one changed nothing.
    expect(await auditOf(server, 'quiet-team', 'team.update')).toMatchObject([
      { before: { confidential_models_enabled: false }, after: { confidential_models_enabled: true } },
      { before: { confidential_models_enabled: true }, after: { confidential_models_enabled: false } },
    ]);
  });
});

describe('deleteWorkspace', () => {
  it('is rejected for a team with CVMs, a mistyped slug or a caller who is not an owner', async () => {
    await make('busy-team');
    const { db } = server.services;
    const who = { team_id: await teamId('busy-team'), user_id: owner.user_id };
    const host = await insertHost(db);
    const app = await insertApp(db, { ...who, host, name: 'busy-app' });
    const cvm = await insertCvm(db, { ...app, host, ...who });
    const refused = await remove('busy-team');
    expect(codeOf(refused)).toBe(IN_USE);
    expect(JSON.stringify(refused.body)).toContain(cvm.name);
    await db.updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
    expect(codeOf(await remove('busy-team', 'busy'))).toBe(INVALID);
    const admin = await addMember(server, 'busy-team', 'admin');
    expect(codeOf(await remove('busy-team', 'busy-team', admin))).toBe(FORBIDDEN);
    expect(codeOf(await remove('busy-team', 'busy-team', stranger))).toBe(NOT_FOUND);
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('user_id', '=', owner.user_id)
      .execute();
    expect(codeOf(await remove('busy-team'))).toBe(STEP_UP);
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date() })
      .where('user_id', '=', owner.user_id)
      .execute();
    expect((await remove('busy-team')).status).toBe(204);
  });

  it('revokes tokens, invitations and memberships, notifies members and keeps the slug reserved', async () => {
    await make('ended-team');
    const viewer = await addMember(server, 'ended-team', 'viewer');
    const { db } = server.services;
    const team_id = await teamId('ended-team');
    const token = await insertToken(db, { team_id, user_id: owner.user_id });
    const invited = await owner.client.call('createInvitation', {
      path: { slug: 'ended-team' },
      body: { email: 'guest@example.test', role: 'member' },
    });
    expect(invited.status).toBe(201);
    const link = (await mailsTo(server.services, 'guest@example.test')).at(-1)?.token;
    expect((await remove('ended-team')).status).toBe(204);
    for (const who of [owner, viewer]) {
      expect(codeOf(await who.client.call('getWorkspace', { path: { slug: 'ended-team' } }))).toBe(NOT_FOUND);
      expect(JSON.stringify((await who.client.call('getSession')).body)).not.toContain('ended-team');
      expect((await mailsTo(server.services, who.email)).at(-1)).toMatchObject({ template: 'team_deleted' });
    }
    expect((await server.anonymous.with({ 'x-api-key': token }).call('listApps')).status).toBe(401);
    expect(codeOf(await server.anonymous.call('checkInvitation', { body: { token: link } }))).toBe(
      '404 ERR-00-035',
    );
    expect(await make('ended-team', stranger)).toBe(SLUG_TAKEN);
    expect(await make('ended-team')).toBe(SLUG_TAKEN);
    expect(await auditOf(server, 'ended-team', 'team.delete')).toMatchObject([
      { before: { slug: 'ended-team', members: 2, tokens: 1 } },
    ]);
  });

  it('can leave a user without a team', async () => {
    const user = await registerUser(server);
    const [team] = (await user.client.call('listWorkspaces')).body.data;
    expect((await remove(team!.slug, team!.slug, user)).status).toBe(204);
    expect((await user.client.call('listWorkspaces')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    expect((await user.client.call('getSession')).body.teams).toEqual([]);
    expect(codeOf(await user.client.call('createWorkspace', { body: { name: 'Again' } }))).toBe('201');
    expect((await user.client.call('listApps')).status).toBe(200);
  });

  it('leaves no CVM behind when racing a deployment', async () => {
    const { db } = server.services;
    const host = await insertHost(db);
    for (let round = 0; round < 4; round++) {
      const slug = `racing-${round}`;
      await make(slug);
      const who = { team_id: await teamId(slug), user_id: owner.user_id };
      const app = await insertApp(db, { ...who, host, name: slug });
      const [deleted] = await Promise.all([
        remove(slug),
        insertCvm(db, { ...app, host, ...who }).catch((error: unknown) => error),
      ]);
      const left = await db
        .selectFrom('cvms')
        .select('id')
        .where('team_id', '=', who.team_id)
        .where('deleted_at', 'is', null)
        .execute();
      expect([204, 409]).toContain(deleted.status);
      expect(left.length).toBe(deleted.status === 204 ? 0 : 1);
    }
  });
});

describe('setDefaultWorkspace', () => {
  it("accepts only the user's own teams and keeps one default", async () => {
    const user = await registerUser(server);
    const first = (await user.client.call('listWorkspaces')).body.data[0]!.slug;
    await user.client.call('createWorkspace', { body: { name: 'Second', slug: 'second-team' } });
    const choose = (slug: string) => user.client.call('setDefaultWorkspace', { path: { slug } });
    expect((await choose('second-team')).status).toBe(204);
    expect((await user.client.call('getCurrentUser')).body.workspace.slug).toBe('second-team');
    await Promise.all([choose(first), choose('second-team'), choose(first)]);
    const defaults = (await user.client.call('listWorkspaces')).body.data.filter((team) => team.is_default);
    expect(defaults).toHaveLength(1);
    expect(codeOf(await choose('guarded-team'))).toBe(NOT_FOUND);
    // Deleting the default team makes another one the default.
    await choose('second-team');
    expect((await remove('second-team', 'second-team', user)).status).toBe(204);
    await eventually('the other team is the default', async () => {
      const { data } = (await user.client.call('listWorkspaces')).body;
      return data.length === 1 && data[0]?.is_default;
    });
  });
});
