import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assert, register, type Dishonest, type Passkey } from '../../../testing/authenticator';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { cookiesOf, setUpTotp } from '../../../testing/signIn';

type Options = Record<string, unknown>;
let server: TestServer;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.register();
  origin = new URL(server.services.config.publicUrl).origin;
});
afterAll(() => server.stop());

const optionsOf = ({ status, body }: { status: number; body: unknown }): Options => {
  expect(status).toBe(200);
  return (body as { options: Options }).options;
};
const begin = async (user: TestClient) => optionsOf(await user.call('createPasskeyRegistration'));
const add = (user: TestClient, credential: object, name = 'Laptop') =>
  user.call('createPasskey', { body: { name, credential } });

/** Creates a user with a passkey. */
async function withPasskey(): Promise<{ user: TestClient; passkey: Passkey; id: string; codes: string[] }> {
  const user = await server.register();
  const { passkey, credential } = register(origin, await begin(user));
  const added = await add(user, credential);
  expect(added.status).toBe(201);
  const { passkey: row, codes } = added.body as { passkey: { id: string }; codes: string[] };
  return { user, passkey, id: row.id, codes };
}
const challenge = async () => optionsOf(await server.anonymous.call('createPasskeyChallenge'));
const present = (credential: object, from = server.anonymous) =>
  from.call('createPasskeySession', { body: { credential } });
const signIn = async (passkey: Passkey, tampering: Dishonest = {}) =>
  present(assert(tampering.origin ?? origin, await challenge(), passkey, tampering));

const setVerifiedAt = (email: string, email_verified_at: Date | null) =>
  server.services.db.updateTable('users').set({ email_verified_at }).where('email', '=', email).execute();

describe('adding a passkey', () => {
  it('requires a confirmed address, as does an authenticator app', async () => {
    const user = await server.register();
    await setVerifiedAt(user.email ?? '', null);
    for (const id of ['createPasskeyRegistration', 'createTotp'] as const)
      expect(await user.call(id)).toMatchObject({ status: 403, body: { code: 'ERR-00-034' } });
    await setVerifiedAt(user.email ?? '', new Date());
    for (const [id, status] of [
      ['createPasskeyRegistration', 200],
      ['createTotp', 201],
    ] as const)
      expect((await user.call(id)).status).toBe(status);
  });

  it('requests a resident key with user verification and excludes existing credentials', async () => {
    const { user, passkey, codes } = await withPasskey();
    expect(codes).toHaveLength(10);
    const options = await begin(user);
    expect(options).toMatchObject({
      rp: { id: new URL(origin).hostname },
      user: { name: user.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: passkey.id }],
    });
    const handle = Buffer.from((options.user as { id: string }).id, 'base64url').toString();
    expect(handle).toMatch(/^usr_/);
    expect((await user.call('getSecondFactors')).body).toMatchObject({
      passkeys: [{ name: 'Laptop', synced: true, last_used_at: null }],
      recovery_codes_left: 10,
    });
    const mails = await mailsTo(server.services, user.email ?? '');
    expect(mails.find(({ template }) => template === 'second_factor_enabled')?.text).toContain('Laptop');
    // A second passkey creates no new recovery codes.
    const second = await add(user, register(origin, options).credential, 'Key');
    expect(second).toMatchObject({ status: 201, body: { codes: null } });
  });

  it('rejects responses from another site, without user verification, or for another challenge, purpose or user', async () => {
    const [user, other] = [await server.register(), await server.register()];
    const tampering: Parameters<typeof register>[2][] = [
      { origin: 'https://evil.example' },
      { rp_id: 'evil.example' },
      { verified: false },
      { challenge: 'bm90IG91cnM' },
      { type: 'webauthn.get' },
    ];
    for (const tampered of tampering) {
      const { credential } = register(origin, await begin(user), tampered);
      expect((await add(user, credential)).status, JSON.stringify(tampered)).toBe(422);
    }
    const { credential } = register(origin, await begin(other));
    expect((await add(user, credential)).status).toBe(422);
    // The failed attempt used up the challenge.
    expect((await add(other, credential)).status).toBe(422);
    const signing = { ...(await begin(user)), challenge: (await challenge()).challenge };
    expect((await add(user, register(origin, signing).credential)).status).toBe(422);
    for (const junk of [
      {},
      { id: 'x' },
      { id: 'x', response: { clientDataJSON: 'e30' } },
      { response: null },
    ])
      expect((await add(user, junk)).status).toBe(422);
    expect((await user.call('getSecondFactors')).body).toMatchObject({ passkeys: [] });
  });

  it('accepts each response and each credential once, and twenty passkeys at most', async () => {
    const { user, passkey } = await withPasskey();
    const { credential } = register(origin, await begin(user));
    expect((await add(user, credential)).status).toBe(201);
    expect((await add(user, credential)).status).toBe(422);
    const other = await server.register();
    const copied = register(origin, await begin(other), { id: passkey.id });
    expect((await add(other, copied.credential)).status).toBe(409);
    for (let i = 2; i < 20; i++)
      expect((await add(user, register(origin, await begin(user)).credential)).status).toBe(201);
    expect((await add(user, register(origin, await begin(user)).credential)).status).toBe(409);
  });

  it('can be renamed and removed by its owner only; removing the last one deletes the recovery codes', async () => {
    const { user, passkey, id } = await withPasskey();
    const other = await server.register();
    const rename = (who: TestClient, name: string) =>
      who.call('updatePasskey', { path: { passkey_id: id }, body: { name } });
    expect((await rename(user, ' New\u202e name ')).body).toMatchObject({ id, name: 'New name' });
    expect((await rename(other, 'Mine')).status).toBe(404);
    expect((await rename(user, '\u200b')).status).toBe(422);
    const remove = (who: TestClient) => who.call('deletePasskey', { path: { passkey_id: id } });
    expect((await remove(other)).status).toBe(404);
    expect((await remove(user)).status).toBe(204);
    expect((await remove(user)).status).toBe(404);
    expect((await user.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 0 });
    expect((await signIn(passkey)).status).toBe(401);
  });
});

describe('signing in with a passkey', () => {
  it("fails after the address's owner disowns the registration", async () => {
    const { user, passkey } = await withPasskey();
    const email = user.email ?? '';
    await setVerifiedAt(email, null);
    expect((await signIn(passkey)).status).toBe(201);
    const link = (await mailsTo(server.services, email)).find(({ template }) => template === 'verify_email');
    const declined = { token: link?.token, decline: true };
    expect((await server.anonymous.call('verifyEmail', { body: declined })).status).toBe(200);
    expect((await signIn(passkey)).status).toBe(401);
  });

  it('satisfies both factors, lists no credentials in advance and creates a new session', async () => {
    const { user, passkey } = await withPasskey();
    await setUpTotp(server, user);
    const options = await challenge();
    expect(options).toMatchObject({ userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const answer = await present(assert(origin, options, passkey));
    expect(answer.status).toBe(201);
    const session = server.anonymous.with({ cookie: cookiesOf(answer) });
    expect((await session.call('getSession')).body.user?.email).toBe(user.email);
    const row = await server.services.db
      .selectFrom('sessions')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ auth_method: 'passkey', second_factor_at: expect.any(Date) });
  });

  it('rejects other sites, keys, users, purposes and challenges, and unverified users', async () => {
    const { passkey } = await withPasskey();
    const stranger = await withPasskey();
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const tampering: Dishonest[] = [
      { origin: 'https://evil.example' },
      { origin: origin.replace('http:', 'https:') },
      { rp_id: 'evil.example' },
      { verified: false },
      { challenge: 'bm90IG91cnM' },
      { type: 'webauthn.create' },
      { key },
      { user_handle: stranger.passkey.user_handle },
      { user_handle: null },
    ];
    for (const tampered of tampering)
      expect(
        (await present(assert(origin, await challenge(), passkey, tampered))).status,
        JSON.stringify(tampered),
      ).toBe(401);
    const registering = await begin(stranger.user);
    expect((await present(assert(origin, registering, stranger.passkey))).status).toBe(401);
    expect((await present({})).status).toBe(401);
    expect((await signIn(passkey)).status).toBe(201);
  });

  it('accepts a challenge once, even for concurrent responses', async () => {
    const { passkey } = await withPasskey();
    const credential = assert(origin, await challenge(), passkey);
    const answers = await Promise.all(Array.from({ length: 6 }, () => present(credential)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const old = await challenge();
    await server.services.db
      .updateTable('passkey_challenges')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await present(assert(origin, old, passkey))).status).toBe(401);
  });

  it('rejects a stale counter, and accepts devices without a counter', async () => {
    const { passkey } = await withPasskey();
    expect((await signIn(passkey, { counter: 0 })).status).toBe(201);
    expect((await signIn(passkey, { counter: 0 })).status).toBe(201);
    expect((await signIn(passkey, { counter: 7 })).status).toBe(201);
    for (const counter of [7, 6, 0]) expect((await signIn(passkey, { counter })).status).toBe(401);
    const [first, second] = [await challenge(), await challenge()];
    const both = [first, second].map((options) => assert(origin, options, passkey, { counter: 8 }));
    const answers = await Promise.all(both.map((credential) => present(credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it('is rejected for a suspended user', async () => {
    const { user, passkey } = await withPasskey();
    await server.services.db
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', user.email ?? '')
      .execute();
    expect((await signIn(passkey)).status).toBe(401);
  });
});

describe('a passkey as second factor and for confirmation', () => {
  const waiting = async (email: string | null) => {
    const answer = await server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
    expect(answer.status).toBe(202);
    return server.anonymous.with({ cookie: cookiesOf(answer) });
  };

  it('completes a sign-in only with that user’s challenge for that purpose', async () => {
    const { user, passkey } = await withPasskey();
    const stranger = await withPasskey();
    const browser = await waiting(user.email);
    expect((await browser.call('getPendingSignIn')).body).toMatchObject({
      methods: ['passkey', 'recovery_code'],
    });
    const newChallenge = async () => optionsOf(await browser.call('createSecondFactorChallenge'));
    const complete = (credential: object) =>
      browser.call('completeSecondFactor', { body: { method: 'passkey', credential } });
    expect((await newChallenge()).allowCredentials).toMatchObject([{ id: passkey.id }]);
    expect((await complete(assert(origin, await challenge(), passkey))).status).toBe(401);
    expect((await complete(assert(origin, await newChallenge(), stranger.passkey))).status).toBe(401);
    expect((await complete(assert(origin, await newChallenge(), passkey, { verified: false }))).status).toBe(
      401,
    );
    expect((await complete(assert(origin, await newChallenge(), passkey))).status).toBe(201);
    expect((await server.anonymous.call('createSecondFactorChallenge')).status).toBe(401);
  });

  it('confirms, but not with a sign-in challenge', async () => {
    const { user, passkey } = await withPasskey();
    const stranger = await server.register();
    expect((await stranger.call('createStepUpChallenge')).status).toBe(409);
    const newChallenge = async () => optionsOf(await user.call('createStepUpChallenge'));
    const confirm = (credential: object) => user.call('stepUp', { body: { method: 'passkey', credential } });
    expect((await user.call('getStepUp')).body).toMatchObject({ methods: ['passkey'] });
    expect((await confirm(assert(origin, await challenge(), passkey))).status).toBe(401);
    const credential = assert(origin, await newChallenge(), passkey);
    expect((await confirm(credential)).status).toBe(204);
    expect((await confirm(credential)).status).toBe(401);
  });
});
