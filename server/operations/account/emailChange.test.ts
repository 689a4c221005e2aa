import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { housekeeping } from '../../jobs/housekeeping';
import { mailsTo } from '../../testing/mail';
import {
  PASSWORD,
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const db = () => server.services.db;
const ask = (client: TestClient, email: string) => client.call('requestEmailChange', { body: { email } });
const linkTo = async (email: string, side: 'old' | 'new') => {
  const mails = await mailsTo(server.services, email);
  return mails.filter(({ template }) => template === `email_change_confirm_${side}`).at(-1)?.token ?? '';
};
const use = (token: string, more: { decline?: boolean } = {}) =>
  server.anonymous.call('verifyEmail', { body: { token, ...more } });
const emailOf = async (client: TestClient) => (await client.call('getAccount')).body.email;
const templates = async (email: string) =>
  (await mailsTo(server.services, email)).map(({ template }) => template);
const INVALID = { status: 404, body: { code: 'ERR-00-035' } };

describe('a change of address', () => {
  it.each([['old'], ['new']] as const)(
    'happens when both have confirmed, the %s one first',
    async (first) => {
      const [before, after] = [`anna-${first}@example.test`, `anna-${first}@new.test`];
      const anna = await server.register(before);
      const asked = await ask(anna, after.toUpperCase());
      expect(asked.status).toBe(202);
      expect(asked.body).toMatchObject({ email: after, old_confirmed: false, new_confirmed: false });
      await server.anonymous.call('requestPasswordReset', { body: { email: before } });
      const links = { old: await linkTo(before, 'old'), new: await linkTo(after, 'new') };
      const second = first === 'old' ? 'new' : 'old';
      expect((await use(links[first])).body).toMatchObject({ outcome: 'half' });
      expect((await anna.call('getAccount')).body).toMatchObject({
        email: before,
        email_change: { email: after, [`${first}_confirmed`]: true, [`${second}_confirmed`]: false },
      });
      expect(await use(links[first])).toMatchObject(INVALID);
      expect((await use(links[second])).body).toMatchObject({ outcome: 'changed' });
      // Nothing ends: the same session goes on.
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
      // A reset link in the old mailbox is no way in any more.
      const reset = (await mailsTo(server.services, before)).find(
        ({ template }) => template === 'reset_password',
      );
      expect(
        await server.anonymous.call('checkPasswordReset', { body: { token: reset?.token } }),
      ).toMatchObject(INVALID);
    },
  );

  it('is given up by the person or by either address, and its links with it', async () => {
    const ben = await server.register('ben@example.test');
    const both = async () => [await linkTo('ben@example.test', 'old'), await linkTo('ben@new.test', 'new')];
    await ask(ben, 'ben@new.test');
    const cancelled = await both();
    expect((await ben.call('cancelEmailChange')).status).toBe(204);
    expect((await ben.call('cancelEmailChange')).status).toBe(204);
    for (const token of cancelled) expect(await use(token)).toMatchObject(INVALID);
    for (const side of [0, 1]) {
      await ask(ben, 'ben@new.test');
      const links = await both();
      expect((await use(links[side] ?? '', { decline: true })).body).toMatchObject({ outcome: 'declined' });
      expect(await use(links[1 - side] ?? '')).toMatchObject(INVALID);
      expect((await ben.call('getAccount')).body.email_change).toBeNull();
    }
    expect(await emailOf(ben)).toBe('ben@example.test');
  });

  it('is replaced by the next one, and ends after a day', async () => {
    const cara = await server.register('cara@example.test');
    await ask(cara, 'typo@new.test');
    const old = await linkTo('cara@example.test', 'old');
    await ask(cara, 'cara@new.test');
    expect(await use(old)).toMatchObject(INVALID);
    expect(await use(await linkTo('typo@new.test', 'new'))).toMatchObject(INVALID);
    await db()
      .updateTable('email_changes')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('email', '=', 'cara@new.test')
      .execute();
    expect(await use(await linkTo('cara@new.test', 'new'))).toMatchObject(INVALID);
    expect((await cara.call('getAccount')).body.email_change).toBeNull();
    await housekeeping(db());
    expect(
      await db().selectFrom('email_changes').select('user_id').where('email', '=', 'cara@new.test').execute(),
    ).toEqual([]);
  });

  it('tells nobody that the address has an account, until both mailboxes are shown to be theirs', async () => {
    const dan = await server.register('dan@example.test');
    await server.register('taken@example.test');
    const free = await ask(dan, 'free@example.test');
    const taken = await ask(dan, 'taken@example.test');
    const shown = ({ status, body }: typeof free) => [status, { ...body, email: '', expires_at: '' }];
    expect(shown(taken)).toEqual(shown(free));
    const links = [await linkTo('dan@example.test', 'old'), await linkTo('taken@example.test', 'new')];
    expect((await use(links[0] ?? '')).body).toMatchObject({ outcome: 'half' });
    expect(await use(links[1] ?? '')).toMatchObject({ status: 409, body: { code: 'ERR-00-015' } });
    expect((await dan.call('getAccount')).body).toMatchObject({
      email: 'dan@example.test',
      email_change: null,
    });
  });

  it('gives an address that two want at once to one of them', async () => {
    const links = await Promise.all(
      ['ina@example.test', 'ida@example.test'].map(async (email) => {
        await ask(await server.register(email), 'both@new.test');
        expect((await use(await linkTo(email, 'old'))).body).toMatchObject({ outcome: 'half' });
        return email;
      }),
    );
    const sent = (await mailsTo(server.services, 'both@new.test')).map(({ token }) => token ?? '');
    expect(sent).toHaveLength(links.length);
    const answers = await Promise.all(sent.map((token) => use(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const held = await db().selectFrom('users').select('id').where('email', '=', 'both@new.test').execute();
    expect(held).toHaveLength(1);
  });

  it('needs nothing of an address that was never confirmed: who mistyped theirs comes out', async () => {
    await server.anonymous.call('registerUser', { body: { email: 'eva@exmaple.test', password: PASSWORD } });
    const signed = await server.anonymous.call('createSession', {
      body: { email: 'eva@exmaple.test', password: PASSWORD },
    });
    const eva = server.anonymous.with({ cookie: sessionCookieOf(signed) ?? '' });
    expect((await ask(eva, 'eva@example.test')).body).toMatchObject({ old_confirmed: true });
    expect((await use(await linkTo('eva@example.test', 'new'))).body).toMatchObject({ outcome: 'changed' });
    expect((await eva.call('getSession')).body.user).toMatchObject({
      email: 'eva@example.test',
      email_verified: true,
    });
  });

  it('that nobody had to approve is over once somebody shows that the present address is theirs', async () => {
    const [victim, theirs] = ['gina@example.test', 'mallory@evil.test'];
    await server.anonymous.call('registerUser', { body: { email: victim, password: PASSWORD } });
    const signed = await server.anonymous.call('createSession', {
      body: { email: victim, password: PASSWORD },
    });
    const squatter = server.anonymous.with({ cookie: sessionCookieOf(signed) ?? '' });
    expect((await ask(squatter, theirs)).body).toMatchObject({ old_confirmed: true });
    const sent = (await mailsTo(server.services, victim)).find(({ template }) => template === 'verify_email');
    expect((await use(sent?.token ?? '')).body).toMatchObject({ outcome: 'verified' });
    expect(await use(await linkTo(theirs, 'new'))).toMatchObject(INVALID);
    expect(await db().selectFrom('users').select('id').where('email', '=', theirs).execute()).toEqual([]);
  });

  it('is confirmed by the mailbox it is about: of two asked for at once no link of the other one counts', async () => {
    const hugo = await server.register('hugo@example.test');
    // The victim's mailbox has had its mails of this hour, so no link to it takes the place of another.
    for (let i = 0; i < 5; i++) await ask(hugo, 'victim@new.test');
    for (let i = 0; i < 5; i++) {
      await Promise.all([ask(hugo, 'hugo@evil.test'), ask(hugo, 'victim@new.test')]);
      await use(await linkTo('hugo@evil.test', 'new'));
      await use(await linkTo('hugo@example.test', 'old'));
      const { email, email_change } = (await hugo.call('getAccount')).body;
      expect(email_change?.email === 'victim@new.test' && email_change.new_confirmed).toBe(false);
      expect(email).not.toBe('victim@new.test');
    }
  });

  it('refuses the address one has, what is none, tokens, and who has not been there for a while', async () => {
    const fred = await server.register('fred@example.test');
    for (const email of ['FRED@example.test', 'fred', 'fred@example.test\r\nBcc: eve@example.test'])
      expect((await ask(fred, email)).status).toBe(422);
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
      .execute();
    expect(await ask(fred, 'fred@new.test')).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
    expect(await mailsTo(server.services, 'fred@new.test')).toEqual([]);
  });
});
