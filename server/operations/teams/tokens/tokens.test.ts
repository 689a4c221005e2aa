import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiToken } from '../../../../generated/api/types.gen';
import { mailsTo } from '../../../testing/mail';
import { eventually, startTestServer, type TestServer } from '../../../testing/server';
import {
  auditOf,
  codeOf,
  FORBIDDEN,
  addMember,
  NOT_FOUND,
  registerUser,
  addMembership,
  STEP_UP,
  TOKEN_LIMIT,
  UNVERIFIED,
  type TestMember,
} from '../testing/members';

let server: TestServer;
let owner: TestMember;
let stranger: TestMember;
const slug = 'tokens-team';
beforeAll(async () => {
  server = await startTestServer();
  owner = await registerUser(server, 'owner@example.test');
  stranger = await registerUser(server, 'stranger@example.test');
  await owner.client.call('createWorkspace', { body: { name: 'Tokens', slug } });
});
afterAll(() => server.stop());

const create = (who: TestMember, body: object = {}) =>
  who.client.call('createApiToken', { path: { slug }, body: { name: 'CI', scopes: ['cvms:*'], ...body } });
async function made(who: TestMember, body: object = {}): Promise<CreatedApiToken> {
  const answer = await create(who, body);
  expect(codeOf(answer)).toBe('201');
  return answer.body as CreatedApiToken;
}
const by = (token: string) => server.anonymous.with({ 'x-api-key': token });
const list = async (who: TestMember, query: Record<string, unknown> = {}) =>
  (await who.client.call('listTokens', { path: { slug }, query })).body;
const at = (token_id: string) => ({ path: { slug, token_id } });

describe('a token', () => {
  it('is shown once, stored as a hash, identifiable in lists and announced by email', async () => {
    const who = await addMember(server, slug, 'member');
    const { token, api_token } = await made(who, { scopes: ['cvms:*', 'nodes:*', 'cvms:*'] });
    expect(token).toMatch(/^thk_api_[0-9A-Za-z]{38}$/);
    expect(api_token).toMatchObject({
      name: 'CI',
      kind: 'api',
      scopes: ['cvms:*', 'nodes:*'],
      state: 'active',
      prefix: `${token.slice(0, 12)}…${token.slice(-4)}`,
      owner: { id: who.id },
      last_used_at: null,
    });
    // 90 days by default.
    expect(Date.parse(api_token.expires_at!) - Date.parse(api_token.created_at)).toBeCloseTo(
      90 * 86_400_000,
      -5,
    );
    expect((await made(who, { expires_in_days: null })).api_token.expires_at).toBeNull();
    const { db } = server.services;
    const stored = JSON.stringify([
      await db.selectFrom('api_tokens').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
      await list(who),
    ]);
    expect(stored).not.toContain(token);
    expect((await auditOf(server, slug, 'token.create'))[0]).toMatchObject({ actor_user_id: who.user_id });
    const mail = (await mailsTo(server.services, who.email)).at(-2)!;
    expect(mail.template).toBe('token_created');
    expect(mail.text).not.toContain(token);
    expect((await by(token).call('listApps')).status).toBe(200);
    const used = await eventually('the last use is recorded', async () => {
      const row = (await list(who)).data.find(({ id }) => id === api_token.id);
      return row?.last_used_at ? row : null;
    });
    expect(used.last_used_from).toMatch(/127\.0\.0\.1|::1/);
  });

  it("has the permissions that both its scopes and its owner's current role allow", async () => {
    const who = await addMember(server, slug, 'member');
    const { token } = await made(who);
    const all = (await made(who, { scopes: ['*', 'cvms:*'] })).token;
    const apps = () => by(token).call('listApps').then(codeOf);
    const provision = (key: string) =>
      by(key)
        .call('provisionCvm', { body: { name: 'token-app' } })
        .then(codeOf);
    expect(await apps()).toBe('200');
    expect(codeOf(await by(token).call('listAvailableTeepods'))).toBe(FORBIDDEN);
    expect(codeOf(await by(all).call('listAvailableTeepods'))).toBe('200');
    expect(await provision(token)).not.toBe(FORBIDDEN);
    await addMembership(server, slug, who, 'viewer');
    expect(await provision(token)).toBe(FORBIDDEN);
    expect(await provision(all)).toBe(FORBIDDEN);
    expect(await apps()).toBe('200');
    await addMembership(server, slug, who, 'member');
    expect(await provision(token)).not.toBe(FORBIDDEN);
    // Tokens can't create or list tokens.
    expect(
      codeOf(await by(all).call('createApiToken', { path: { slug }, body: { name: 'x', scopes: ['*'] } })),
    ).toBe(FORBIDDEN);
    expect(codeOf(await by(all).call('listTokens', { path: { slug } }))).toBe(FORBIDDEN);
  });

  it('requires a role that can create tokens, a confirmed address and a recent confirmation', async () => {
    const { db } = server.services;
    const viewer = await addMember(server, slug, 'viewer');
    expect(codeOf(await create(viewer))).toBe(FORBIDDEN);
    expect(codeOf(await create(stranger))).toBe(NOT_FOUND);
    const who = await addMember(server, slug, 'member');
    for (const body of [
      { scopes: [] },
      { scopes: ['admin:*'] },
      { scopes: ['session'] },
      { name: '  ' },
      { expires_in_days: 0 },
    ])
      expect(codeOf(await create(who, body)), JSON.stringify(body)).toMatch('422');
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('user_id', '=', who.user_id)
      .execute();
    expect(codeOf(await create(who))).toBe(STEP_UP);
    await db
      .updateTable('sessions')
      .set({ confirmed_at: new Date() })
      .where('user_id', '=', who.user_id)
      .execute();
    await db.updateTable('users').set({ email_verified_at: null }).where('id', '=', who.user_id).execute();
    expect(codeOf(await create(who))).toBe(UNVERIFIED);
    expect((await list(who)).data).toEqual([]);
  });

  it('is limited to 50 per member, even with concurrent creation', async () => {
    const who = await addMember(server, slug, 'member');
    await Promise.all(Array.from({ length: 44 }, () => create(who)));
    const codes = (await Promise.all(Array.from({ length: 10 }, () => create(who)))).map(codeOf);
    expect(codes.filter((code) => code === '201')).toHaveLength(6);
    expect(codes.filter((code) => code === TOKEN_LIMIT)).toHaveLength(4);
    const [newest] = (await list(who)).data;
    await who.client.call('revokeApiToken', at(newest!.id));
    expect(codeOf(await create(who))).toBe('201');
    expect(codeOf(await create(owner))).toBe('201');
  });
});

describe('team tokens', () => {
  it('are visible to owner and admins, renamed by the owner and revoked by both', async () => {
    const [one, two] = [await addMember(server, slug, 'member'), await addMember(server, slug, 'member')];
    const admin = await addMember(server, slug, 'admin');
    const { token, api_token } = await made(one, { name: 'mine' });
    const rename = (who: TestMember, name = 'renamed') =>
      who.client.call('updateApiToken', { ...at(api_token.id), body: { name } });
    const revoke = (who: TestMember) => who.client.call('revokeApiToken', at(api_token.id));
    expect((await list(two)).data).toEqual([]);
    expect((await list(admin)).data.map(({ id }) => id)).toContain(api_token.id);
    expect([codeOf(await rename(two)), codeOf(await revoke(two))]).toEqual([NOT_FOUND, NOT_FOUND]);
    expect([codeOf(await rename(stranger)), codeOf(await revoke(stranger))]).toEqual([NOT_FOUND, NOT_FOUND]);
    expect(codeOf(await rename(admin))).toBe(FORBIDDEN);
    expect((await rename(one, ' renamed ')).body).toMatchObject({ name: 'renamed' });
    expect(codeOf(await rename(one, ' '))).toMatch('422');
    expect((await by(token).call('listApps')).status).toBe(200);
    expect(codeOf(await revoke(admin))).toBe('204');
    expect((await by(token).call('listApps')).status).toBe(401);
    expect(codeOf(await revoke(one))).toBe('204');
    expect(
      (await auditOf(server, slug, 'token.revoke')).filter(({ target_id }) => target_id === api_token.id),
    ).toMatchObject([{ actor_user_id: admin.user_id, before: { name: 'renamed', owner: one.id } }]);
    expect((await list(one, { state: 'revoked' })).data).toMatchObject([
      { id: api_token.id, state: 'revoked' },
    ]);
    // The same ID isn't found under another team.
    const elsewhere = (await one.client.call('listWorkspaces')).body.data.find(
      (team) => team.slug !== slug,
    )!.slug;
    expect(
      codeOf(await one.client.call('revokeApiToken', { path: { slug: elsewhere, token_id: api_token.id } })),
    ).toBe(NOT_FOUND);
  });

  it('are listed newest first, in pages and by state', async () => {
    const who = await addMember(server, slug, 'member');
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await made(who, { name: `t${i}` })).api_token.id);
    await server.services.db
      .updateTable('api_tokens')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('public_id', '=', ids[0]!)
      .execute();
    const first = await list(who, { limit: 3 });
    const second = await list(who, { limit: 3, cursor: first.pagination.next_cursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect((await list(who, { state: 'expired' })).data.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await list(who, { state: 'active' })).data).toHaveLength(4);
    expect(
      codeOf(await who.client.call('listTokens', { path: { slug }, query: { cursor: 'nonsense' } })),
    ).toMatch('422');
  });
});
