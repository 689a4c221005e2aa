import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { housekeeping } from '../../jobs/core/housekeeping';
import { mailsTo } from '../../testing/mail';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';

const OPERATOR = 'operator@new.test';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ADMIN_EMAIL: OPERATOR } });
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const db = () => server.services.db;
const requestChange = (client: TestClient, email: string) =>
  client.call('requestEmailChange', { body: { email } });
const linkTo = async (email: string, side: 'old' | 'new') => {
  const mails = await mailsTo(server.services, email);
  return mails.filter(({ template }) => template === `email_change_confirm_${side}`).at(-1)?.token ?? '';
};
const openLink = (token: string, more: { decline?: boolean } = {}, from = server.anonymous) =>
  from.call('verifyEmail', { body: { token, ...more } });
const emailOf = async (client: TestClient) => (await client.call('getAccount')).body.email;
const templates = async (email: string) =>
  (await mailsTo(server.services, email)).map(({ template }) => template);
const INVALID = { status: 404, body: { code: 'ERR-00-035' } };

describe('changing the email address', () => {
  it.each([['old'], ['new']] as const)(
    'completes once both addresses have confirmed, the %s one first',
    async (first) => {
      const [before, after] = [`anna-${first}@example.test`, `anna-${first}@new.test`];
      const anna = await server.register(before);
      const requested = await requestChange(anna, after.toUpperCase());
      expect(requested.status).toBe(202);
      expect(requested.body).toMatchObject({ email: after, old_confirmed: false, new_confirmed: false });
      await server.anonymous.call('requestPasswordReset', { body: { email: before } });
      const links = { old: await linkTo(before, 'old'), new: await linkTo(after, 'new') };
      const second = first === 'old' ? 'new' : 'old';
      expect((await openLink(links[first])).body).toMatchObject({ outcome: 'half' });
      expect((await anna.call('getAccount')).body).toMatchObject({
        email: before,
        email_change: { email: after, [`${first}_confirmed`]: true, [`${second}_confirmed`]: false },
      });
      expect(await openLink(links[first])).toMatchObject(INVALID);
      expect((await openLink(links[second])).body).toMatchObject({ outcome: 'changed' });
      // The session continues.
      expect((await anna.call('getAccount')).body).toMatchObject({
        email: after,
        email_verified: true,
        email_change: null,
      });
      expect(await templates(before)).toContain('email_changed');
      expect(await templates(after)).toContain('email_changed');
      const signIn = (email: string) =>
        server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
      expect((await signIn(before)).status).toBe(401);
      expect((await signIn(after)).status).toBe(201);
      // A reset link in the old mailbox no longer works.
      const reset = (await mailsTo(server.services, before)).find(
        ({ template }) => template === 'reset_password',
      );
      expect(
        await server.anonymous.call('checkPasswordReset', { body: { token: reset?.token } }),
      ).toMatchObject(INVALID);
    },
  );

  it('can be canceled by the user or from either mailbox, which invalidates its links', async () => {
    const ben = await server.register('ben@example.test');
    const both = async () => [await linkTo('ben@example.test', 'old'), await linkTo('ben@new.test', 'new')];
    await requestChange(ben, 'ben@new.test');
    const cancelled = await both();
    expect((await ben.call('cancelEmailChange')).status).toBe(204);
    expect((await ben.call('cancelEmailChange')).status).toBe(204);
    for (const token of cancelled) expect(await openLink(token)).toMatchObject(INVALID);
    for (const side of [0, 1]) {
      await requestChange(ben, 'ben@new.test');
      const links = await both();
      expect((await openLink(links[side] ?? '', { decline: true })).body).toMatchObject({
        outcome: 'declined',
      });
      expect(await openLink(links[1 - side] ?? '')).toMatchObject(INVALID);
      expect((await ben.call('getAccount')).body.email_change).toBeNull();
    }
    expect(await emailOf(ben)).toBe('ben@example.test');
  });

  it('is replaced by a newer request, and expires after a day', async () => {
    const cara = await server.register('cara@example.test');
    await requestChange(cara, 'typo@new.test');
    const old = await linkTo('cara@example.test', 'old');
    await requestChange(cara, 'cara@new.test');
    expect(await openLink(old)).toMatchObject(INVALID);
    expect(await openLink(await linkTo('typo@new.test', 'new'))).toMatchObject(INVALID);
    await db()
      .updateTable('email_changes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('email', '=', 'cara@new.test')
      .execute();
    expect(await openLink(await linkTo('cara@new.test', 'new'))).toMatchObject(INVALID);
    expect((await cara.call('getAccount')).body.email_change).toBeNull();
    await housekeeping(db());
    expect(
      await db().selectFrom('email_changes').select('user_id').where('email', '=', 'cara@new.test').execute(),
    ).toEqual([]);
  });

  it('reveals that an address is taken only after both mailboxes are confirmed', async () => {
    const dan = await server.register('dan@example.test');
    await server.register('taken@example.test');
    const free = await requestChange(dan, 'free@example.test');
    const taken = await requestChange(dan, 'taken@example.test');
    const shown = ({ status, body }: typeof free) => [status, { ...body, email: '', expires_at: '' }];
    expect(shown(taken)).toEqual(shown(free));
    const links = [await linkTo('dan@example.test', 'old'), await linkTo('taken@example.test', 'new')];
    expect((await openLink(links[0] ?? '')).body).toMatchObject({ outcome: 'half' });
    expect(await openLink(links[1] ?? '')).toMatchObject({ status: 409, body: { code: 'ERR-00-015' } });
    expect((await dan.call('getAccount')).body).toMatchObject({
      email: 'dan@example.test',
      email_change: null,
    });
  });

  it('gives an address requested by two users concurrently to one of them', async () => {
    const links = await Promise.all(
      ['ina@example.test', 'ida@example.test'].map(async (email) => {
        await requestChange(await server.register(email), 'both@new.test');
        expect((await openLink(await linkTo(email, 'old'))).body).toMatchObject({ outcome: 'half' });
        return email;
      }),
    );
    const sent = (await mailsTo(server.services, 'both@new.test')).map(({ token }) => token ?? '');
    expect(sent).toHaveLength(links.length);
    const answers = await Promise.all(sent.map((token) => openLink(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const held = await db().selectFrom('users').select('id').where('email', '=', 'both@new.test').execute();
    expect(held).toHaveLength(1);
  });

  it('needs only the new address when the current one was never confirmed', async () => {
    await server.anonymous.call('registerUser', { body: { email: 'eva@exmaple.test', password: PASSWORD } });
    const signed = await server.anonymous.call('createSession', {
      body: { email: 'eva@exmaple.test', password: PASSWORD },
    });
    const eva = server.anonymous.with({ cookie: sessionCookieOf(signed) ?? '' });
    expect((await requestChange(eva, 'eva@example.test')).body).toMatchObject({ old_confirmed: true });
    const link = await linkTo('eva@example.test', 'new');
    expect((await openLink(link, {}, eva)).body).toMatchObject({ outcome: 'changed' });
    expect((await eva.call('getSession')).body.user).toMatchObject({
      email: 'eva@example.test',
      email_verified: true,
    });
  });

  it.each([['old'], ['new']] as const)(
    "grants no admin role when changing to the administrator's address, the %s mailbox confirming last",
    async (last) => {
      // The operator confirms an email they expected for their own registration, in their own browser.
      const email = `climber-${last}@example.test`;
      const climber = await server.register(email);
      await requestChange(climber, OPERATOR);
      const links = { old: await linkTo(email, 'old'), new: await linkTo(OPERATOR, 'new') };
      const operator = { token: links.new, from: server.anonymous };
      const attacker = { token: links.old, from: climber };
      for (const { token, from } of last === 'old' ? [operator, attacker] : [attacker, operator])
        await openLink(token, {}, from);
      expect(await emailOf(climber)).toBe(OPERATOR);
      expect((await climber.call('listAdminUsers')).status).toBe(403);
      await db().updateTable('users').set({ email }).where('email', '=', OPERATOR).execute();
    },
  );

  it('signs out a never-confirmed account when its new address is confirmed in another browser', async () => {
    const [typo, victim] = ['nobody@exmaple.test', 'owner-of-it@example.test'];
    await server.anonymous.call('registerUser', { body: { email: typo, password: PASSWORD } });
    const body = { email: typo, password: PASSWORD };
    const signed = await server.anonymous.call('createSession', { body });
    const squatter = server.anonymous.with({ cookie: sessionCookieOf(signed) ?? '' });
    await requestChange(squatter, victim);
    const done = await openLink(await linkTo(victim, 'new'));
    expect(done.body).toMatchObject({ outcome: 'new_password', email: victim });
    expect((await squatter.call('getSession')).body.user).toBeNull();
    const again = { body: { ...body, email: victim } };
    expect((await server.anonymous.call('createSession', again)).status).toBe(401);
  });

  it('is canceled when the owner proves the current address', async () => {
    const [victim, theirs] = ['gina@example.test', 'mallory@evil.test'];
    await server.anonymous.call('registerUser', { body: { email: victim, password: PASSWORD } });
    const signed = await server.anonymous.call('createSession', {
      body: { email: victim, password: PASSWORD },
    });
    const squatter = server.anonymous.with({ cookie: sessionCookieOf(signed) ?? '' });
    expect((await requestChange(squatter, theirs)).body).toMatchObject({ old_confirmed: true });
    const sent = (await mailsTo(server.services, victim)).find(({ template }) => template === 'verify_email');
    expect((await openLink(sent?.token ?? '')).body).toMatchObject({ outcome: 'new_password' });
    expect(await openLink(await linkTo(theirs, 'new'))).toMatchObject(INVALID);
    expect(await db().selectFrom('users').select('id').where('email', '=', theirs).execute()).toEqual([]);
  });

  it('accepts only the link for its own request when two are made concurrently', async () => {
    const hugo = await server.register('hugo@example.test');
    // The victim's mailbox reached its hourly mail limit, so no link to it replaces another.
    for (let i = 0; i < 5; i++) await requestChange(hugo, 'victim@new.test');
    for (let i = 0; i < 5; i++) {
      await Promise.all([requestChange(hugo, 'hugo@evil.test'), requestChange(hugo, 'victim@new.test')]);
      await openLink(await linkTo('hugo@evil.test', 'new'));
      await openLink(await linkTo('hugo@example.test', 'old'));
      const { email, email_change } = (await hugo.call('getAccount')).body;
      expect(email_change?.email === 'victim@new.test' && email_change.new_confirmed).toBe(false);
      expect(email).not.toBe('victim@new.test');
    }
  });

  it('rejects the current address, malformed addresses and a stale confirmation', async () => {
    const fred = await server.register('fred@example.test');
    for (const email of ['FRED@example.test', 'fred', 'fred@example.test\r\nBcc: eve@example.test'])
      expect((await requestChange(fred, email)).status).toBe(422);
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
      .execute();
    expect(await requestChange(fred, 'fred@new.test')).toMatchObject({
      status: 403,
      body: { code: 'ERR-00-031' },
    });
    expect(await mailsTo(server.services, 'fred@new.test')).toEqual([]);
  });
});
