import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../../domain/teams/token';
import { mailsTo } from '../../../testing/mail';
import { startTestServer, type TestServer } from '../../../testing/server';
import {
  auditOf,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  INVITED_ALREADY,
  LINK_INVALID,
  addMember,
  NOT_FOUND,
  registerUser,
  addMembership,
  RATE_LIMITED,
  UNVERIFIED,
  WRONG_ACCOUNT,
  type TestMember,
} from '../testing/members';

let server: TestServer;
let owner: TestMember;
let stranger: TestMember;
let slug: string;
let teams = 0;
beforeAll(async () => {
  server = await startTestServer();
  owner = await registerUser(server, 'owner@example.test');
  stranger = await registerUser(server, 'stranger@example.test');
});
afterAll(() => server.stop());

/** A separate team per test, so that invitation counts don't mix. */
async function team(): Promise<string> {
  slug = `inviting-${++teams}`;
  // Invitations are also limited per user and hour.
  await sql`delete from rate_limits`.execute(server.services.db);
  await owner.client.call('createWorkspace', { body: { name: `Inviting ${teams}`, slug } });
  return slug;
}
const invite = (email: string, role = 'member', who = owner) =>
  who.client.call('createInvitation', { path: { slug }, body: { email, role } });
async function invited(email: string, role = 'member', who = owner) {
  const made = await invite(email, role, who);
  expect(codeOf(made)).toBe('201');
  return { id: made.body.id, token: await linkTo(email) };
}
const linkTo = async (email: string) => (await mailsTo(server.services, email)).at(-1)?.token ?? '';
const check = (token: string, who = server.anonymous) => who.call('checkInvitation', { body: { token } });
const accept = (token: string, who: TestMember) => who.client.call('acceptInvitation', { body: { token } });
const decline = (token: string) => server.anonymous.call('declineInvitation', { body: { token } });
const about = (id: string) => ({ path: { slug, invitation_id: id } });
const change = (id: string, values: Record<string, unknown>) =>
  server.services.db.updateTable('invitations').set(values).where('public_id', '=', id).execute();
const states = async () =>
  (await owner.client.call('listInvitations', { path: { slug } })).body.data.map(({ email, state }) => [
    email,
    state,
  ]);

describe('an invitation', () => {
  it('is sent by email, shows inviter and team, and adds the invited user once', async () => {
    await team();
    const guest = await registerUser(server, 'Guest@Example.test'.toLowerCase());
    const made = await invite('GUEST@example.test', 'billing');
    expect(made.body).toMatchObject({
      email: 'guest@example.test',
      role: 'billing',
      state: 'pending',
      invited_by: 'owner',
    });
    expect(Date.parse(made.body.expires_at) - Date.parse(made.body.sent_at)).toBe(7 * 86_400_000);
    const mail = (await mailsTo(server.services, 'guest@example.test')).at(-1)!;
    expect(mail.template).toBe('invitation');
    const token = mail.token!;
    expect((await check(token, guest.client)).body).toMatchObject({
      team_name: `Inviting ${teams}`,
      role: 'billing',
      inviter: 'owner',
      account: true,
      signed_in_as: 'guest@example.test',
    });
    expect((await accept(token, guest)).body).toMatchObject({ slug, role: 'billing', is_default: false });
    expect((await guest.client.call('getWorkspace', { path: { slug } })).status).toBe(200);
    expect(codeOf(await accept(token, guest))).toBe(LINK_INVALID);
    expect(codeOf(await check(token))).toBe(LINK_INVALID);
    expect(await states()).toEqual([['guest@example.test', 'accepted']]);
    expect((await mailsTo(server.services, owner.email)).at(-1)).toMatchObject({
      template: 'invitation_accepted',
    });
    expect(await auditOf(server, slug, 'invitation.accept')).toMatchObject([
      {
        actor_user_id: guest.user_id,
        after: { email: 'guest@example.test', user: guest.id, role: 'billing' },
      },
    ]);
    const stored = JSON.stringify(await server.services.db.selectFrom('invitations').selectAll().execute());
    expect(stored).not.toContain(token);
    expect(codeOf(await invite('guest@example.test'))).toBe(INVITED_ALREADY);
  });

  it('confirms the invited address regardless of case, and rejects other users', async () => {
    await team();
    const guest = await registerUser(server, 'capital@example.test');
    const { db } = server.services;
    await db
      .updateTable('users')
      .set({ email: 'Capital@Example.test', email_verified_at: null })
      .where('id', '=', guest.user_id)
      .execute();
    const { token } = await invited('capital@example.test');
    expect(codeOf(await accept(token, stranger))).toBe(WRONG_ACCOUNT);
    expect(codeOf(await server.anonymous.call('acceptInvitation', { body: { token } }))).toMatch('401');
    expect((await check(token)).body).toMatchObject({ account: true, signed_in_as: null });
    expect(codeOf(await accept(token, guest))).toBe('200');
    const row = await db
      .selectFrom('users')
      .select('email_verified_at')
      .where('id', '=', guest.user_id)
      .executeTakeFirst();
    expect(row?.email_verified_at).not.toBeNull();
  });

  it('is accepted once under concurrent requests', async () => {
    await team();
    const guest = await registerUser(server);
    const { token } = await invited(guest.email);
    const codes = await Promise.all([accept(token, guest), accept(token, guest), accept(token, guest)]);
    expect(codes.map(codeOf).toSorted()).toEqual(['200', LINK_INVALID, LINK_INVALID]);
  });

  it("leaves an existing member's role unchanged", async () => {
    await team();
    const guest = await registerUser(server);
    const { token } = await invited(guest.email, 'viewer');
    await addMembership(server, slug, guest, 'admin');
    expect((await accept(token, guest)).body).toMatchObject({ role: 'admin' });
  });

  it('can be declined without an account, which notifies the inviter', async () => {
    await team();
    const { token } = await invited('nobody@example.test');
    expect((await check(token)).body).toMatchObject({ account: false });
    expect((await decline(token)).status).toBe(204);
    expect(codeOf(await decline(token))).toBe(LINK_INVALID);
    expect((await mailsTo(server.services, owner.email)).at(-1)).toMatchObject({
      template: 'invitation_declined',
    });
    expect(await states()).toEqual([['nobody@example.test', 'declined']]);
    await invited('nobody@example.test');
  });

  it('expires after 7 days and can be sent again', async () => {
    await team();
    const guest = await registerUser(server);
    const { id, token } = await invited(guest.email);
    await change(id, { expires_at: new Date(Date.now() - 1000) });
    const refused = await accept(token, guest);
    expect(codeOf(refused)).toBe(LINK_INVALID);
    expect(JSON.stringify(refused.body)).toContain('expired');
    expect(await states()).toEqual([[guest.email, 'expired']]);
    const again = await invited(guest.email, 'viewer');
    expect(again.token).not.toBe(token);
    expect((await accept(again.token, guest)).body).toMatchObject({ role: 'viewer' });
  });

  it('is void once its inviter may no longer grant the role', async () => {
    await team();
    const admin = await addMember(server, slug, 'admin');
    const guest = await registerUser(server);
    const { id, token } = await invited(guest.email, 'member', admin);
    for (const lose of [
      () => addMembership(server, slug, admin, 'member'),
      async () => void (await owner.client.call('deleteMember', { path: { slug, user_id: admin.id } })),
    ]) {
      await lose();
      const refused = await accept(token, guest);
      expect(codeOf(refused)).toBe(LINK_INVALID);
      expect(JSON.stringify(refused.body)).toContain('can no longer assign that role');
    }
    // An allowed member takes responsibility by sending it again.
    expect(codeOf(await owner.client.call('resendInvitation', about(id)))).toBe('200');
    expect(codeOf(await accept(await linkTo(guest.email), guest))).toBe('200');
  });
});

describe('inviting', () => {
  it('requires an admin or owner with a confirmed address, and an owner to invite owners', async () => {
    await team();
    const admin = await addMember(server, slug, 'admin');
    const viewer = await addMember(server, slug, 'viewer');
    expect(codeOf(await invite('a@example.test', 'member', viewer))).toBe(FORBIDDEN);
    expect(codeOf(await invite('a@example.test', 'member', stranger))).toBe(NOT_FOUND);
    expect(codeOf(await invite('a@example.test', 'owner', admin))).toBe(FORBIDDEN);
    const { id } = await invited('a@example.test', 'owner');
    expect(codeOf(await admin.client.call('resendInvitation', about(id)))).toBe(FORBIDDEN);
    expect(codeOf(await invite('not an address'))).toMatch('422');
    await server.services.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', admin.user_id)
      .execute();
    expect(codeOf(await invite('b@example.test', 'member', admin))).toBe(UNVERIFIED);
  });

  it('rejects a pending address or member, even under concurrent requests', async () => {
    await team();
    const codes = await Promise.all([
      invite('twice@example.test'),
      invite('Twice@example.test'),
      invite('TWICE@example.test'),
    ]);
    expect(codes.map(codeOf).toSorted()).toEqual(['201', INVITED_ALREADY, INVITED_ALREADY]);
    expect(await mailsTo(server.services, 'twice@example.test')).toHaveLength(1);
    const mine = { role: 'viewer', email: owner.email };
    expect(codeOf(await invite(mine.email, mine.role))).toBe(INVITED_ALREADY);
  });

  it('replaces the link when resent, and voids it when revoked', async () => {
    await team();
    const guest = await registerUser(server);
    const { id, token } = await invited(guest.email);
    expect(codeOf(await stranger.client.call('resendInvitation', about(id)))).toBe(NOT_FOUND);
    expect(codeOf(await owner.client.call('resendInvitation', about('inv_nope')))).toBe(NOT_FOUND);
    const resent = await owner.client.call('resendInvitation', about(id));
    expect(resent.body).toMatchObject({ id, state: 'pending' });
    const fresh = await linkTo(guest.email);
    for (const action of ['invitation.create', 'invitation.resend'])
      expect(await auditOf(server, slug, action), action).toMatchObject([{ after: { email: guest.email } }]);
    expect(codeOf(await check(token))).toBe(LINK_INVALID);
    expect(codeOf(await check(fresh))).toBe('200');
    expect((await owner.client.call('revokeInvitation', about(id))).status).toBe(204);
    expect(codeOf(await accept(fresh, guest))).toBe(LINK_INVALID);
    expect(codeOf(await owner.client.call('revokeInvitation', about(id)))).toBe(CONFLICT);
    expect(codeOf(await owner.client.call('resendInvitation', about(id)))).toBe(CONFLICT);
    expect(codeOf(await owner.client.call('revokeInvitation', about('inv_nope')))).toBe(NOT_FOUND);
    const filtered = async (state: string) =>
      (await owner.client.call('listInvitations', { path: { slug }, query: { state } })).body.data.length;
    expect([await filtered('revoked'), await filtered('pending')]).toEqual([1, 0]);
  });

  it('allows 50 pending invitations and 60 emails an hour per team', async () => {
    await team();
    const codes: string[] = [];
    for (let i = 0; i < 62; i++) codes.push(codeOf(await invite(`many-${i}@example.test`)));
    expect(codes.filter((code) => code === '201')).toHaveLength(50);
    expect(codes.filter((code) => code === CONFLICT)).toHaveLength(10);
    expect(codes.filter((code) => code === RATE_LIMITED)).toHaveLength(2);
    const first = await owner.client.call('listInvitations', { path: { slug }, query: { limit: 30 } });
    const second = await owner.client.call('listInvitations', {
      path: { slug },
      query: { limit: 30, cursor: first.body.pagination.next_cursor },
    });
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(50);
    expect(second.body.pagination.has_more).toBe(false);
  });

  it('sends at most 10 emails an hour to one address', async () => {
    await team();
    const { id } = await invited('flooded@example.test');
    const codes: string[] = [];
    for (let i = 0; i < 11; i++) codes.push(codeOf(await owner.client.call('resendInvitation', about(id))));
    expect(codes.filter((code) => code === '200')).toHaveLength(9);
    await team();
    expect(codeOf(await invite('fresh@example.test'))).toBe('201');
  });
});

it('reports a mistyped link as incomplete', async () => {
  await team();
  const { token } = await invited('guessed@example.test');
  const typo = token.slice(0, -7) + (token.at(-7) === 'a' ? 'b' : 'a') + token.slice(-6);
  const refused = await check(typo);
  expect(codeOf(refused)).toBe(LINK_INVALID);
  expect(JSON.stringify(refused.body)).toContain('incomplete');
  const row = await server.services.db
    .selectFrom('invitations')
    .select('state')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  expect(row?.state).toBe('pending');
});
