import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assert, register, type Dishonest, type Passkey } from '../../testing/authenticator';
import { mailsTo } from '../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { cookiesOf, setUpTotp } from '../../testing/signIn';

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
const begin = async (person: TestClient) => optionsOf(await person.call('createPasskeyRegistration'));
const add = (person: TestClient, credential: object, name = 'Laptop') =>
  person.call('createPasskey', { body: { name, credential } });

/** A person with a passkey. */
async function holder(): Promise<{ person: TestClient; passkey: Passkey; id: string; codes: string[] }> {
  const person = await server.register();
  const { passkey, credential } = register(origin, await begin(person));
  const added = await add(person, credential);
  expect(added.status).toBe(201);
  const { passkey: row, codes } = added.body as { passkey: { id: string }; codes: string[] };
  return { person, passkey, id: row.id, codes };
}
const challenge = async () => optionsOf(await server.anonymous.call('createPasskeyChallenge'));
const present = (credential: object, from = server.anonymous) =>
  from.call('createPasskeySession', { body: { credential } });
const signIn = async (passkey: Passkey, lies: Dishonest = {}) =>
  present(assert(lies.origin ?? origin, await challenge(), passkey, lies));

const setVerifiedAt = (email: string, email_verified_at: Date | null) =>
  server.services.db.updateTable('users').set({ email_verified_at }).where('email', '=', email).execute();

describe('adding a passkey', () => {
  it('or an authenticator app needs a confirmed address: no factor of a squatter waits for its owner', async () => {
    const person = await server.register();
    await setVerifiedAt(person.email ?? '', null);
    for (const id of ['createPasskeyRegistration', 'createTotp'] as const)
      expect(await person.call(id)).toMatchObject({ status: 403, body: { code: 'ERR-00-034' } });
    await setVerifiedAt(person.email ?? '', new Date());
    for (const [id, status] of [
      ['createPasskeyRegistration', 200],
      ['createTotp', 201],
    ] as const)
      expect((await person.call(id)).status).toBe(status);
  });

  it('asks for a key that is kept in the device, verifies its person and is not there yet', async () => {
    const { person, passkey, codes } = await holder();
    expect(codes).toHaveLength(10);
    const options = await begin(person);
    expect(options).toMatchObject({
      rp: { id: new URL(origin).hostname },
      user: { name: person.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: passkey.id }],
    });
    const handle = Buffer.from((options.user as { id: string }).id, 'base64url').toString();
    expect(handle).toMatch(/^usr_/);
    expect((await person.call('getSecondFactors')).body).toMatchObject({
      passkeys: [{ name: 'Laptop', synced: true, last_used_at: null }],
      recovery_codes_left: 10,
    });
    const mails = await mailsTo(server.services, person.email ?? '');
    expect(mails.find(({ template }) => template === 'second_factor_enabled')?.text).toContain('Laptop');
    // A second one brings no new recovery codes.
    const second = await add(person, register(origin, options).credential, 'Key');
    expect(second).toMatchObject({ status: 201, body: { codes: null } });
  });

  it('refuses answers of another site, without the person, for another challenge, purpose or person', async () => {
    const [person, other] = [await server.register(), await server.register()];
    const lies: Parameters<typeof register>[2][] = [
      { origin: 'https://evil.example' },
      { rp_id: 'evil.example' },
      { verified: false },
      { challenge: 'bm90IG91cnM' },
      { type: 'webauthn.get' },
    ];
    for (const lie of lies) {
      const { credential } = register(origin, await begin(person), lie);
      expect((await add(person, credential)).status, JSON.stringify(lie)).toBe(422);
    }
    const { credential } = register(origin, await begin(other));
    expect((await add(person, credential)).status).toBe(422);
    // The wrong attempt used the challenge up.
    expect((await add(other, credential)).status).toBe(422);
    const signing = { ...(await begin(person)), challenge: (await challenge()).challenge };
    expect((await add(person, register(origin, signing).credential)).status).toBe(422);
    for (const junk of [
      {},
      { id: 'x' },
      { id: 'x', response: { clientDataJSON: 'e30' } },
      { response: null },
    ])
      expect((await add(person, junk)).status).toBe(422);
    expect((await person.call('getSecondFactors')).body).toMatchObject({ passkeys: [] });
  });

  it('takes an answer once, a credential once, and twenty at most', async () => {
    const { person, passkey } = await holder();
    const { credential } = register(origin, await begin(person));
    expect((await add(person, credential)).status).toBe(201);
    expect((await add(person, credential)).status).toBe(422);
    const other = await server.register();
    const copied = register(origin, await begin(other), { id: passkey.id });
    expect((await add(other, copied.credential)).status).toBe(409);
    for (let i = 2; i < 20; i++)
      expect((await add(person, register(origin, await begin(person)).credential)).status).toBe(201);
    expect((await add(person, register(origin, await begin(person)).credential)).status).toBe(409);
  });

  it('can be renamed and removed by its person only; the last one takes the recovery codes with it', async () => {
    const { person, passkey, id } = await holder();
    const other = await server.register();
    const rename = (who: TestClient, name: string) =>
      who.call('updatePasskey', { path: { passkey_id: id }, body: { name } });
    expect((await rename(person, ' New\u202e name ')).body).toMatchObject({ id, name: 'New name' });
    expect((await rename(other, 'Mine')).status).toBe(404);
    expect((await rename(person, '\u200b')).status).toBe(422);
    const remove = (who: TestClient) => who.call('deletePasskey', { path: { passkey_id: id } });
    expect((await remove(other)).status).toBe(404);
    expect((await remove(person)).status).toBe(204);
    expect((await remove(person)).status).toBe(404);
    expect((await person.call('getSecondFactors')).body).toMatchObject({ recovery_codes_left: 0 });
    expect((await signIn(passkey)).status).toBe(401);
  });
});

describe('signing in with a passkey', () => {
  it('of somebody who registered an address that is not theirs goes when its owner says so', async () => {
    const { person, passkey } = await holder();
    const email = person.email ?? '';
    await setVerifiedAt(email, null);
    expect((await signIn(passkey)).status).toBe(201);
    const link = (await mailsTo(server.services, email)).find(({ template }) => template === 'verify_email');
    const declined = { token: link?.token, decline: true };
    expect((await server.anonymous.call('verifyEmail', { body: declined })).status).toBe(200);
    expect((await signIn(passkey)).status).toBe(401);
  });

  it('is both factors, names nobody beforehand and gives a new session', async () => {
    const { person, passkey } = await holder();
    await setUpTotp(server, person);
    const options = await challenge();
    expect(options).toMatchObject({ userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const answer = await present(assert(origin, options, passkey));
    expect(answer.status).toBe(201);
    const session = server.anonymous.with({ cookie: cookiesOf(answer) });
    expect((await session.call('getSession')).body.user?.email).toBe(person.email);
    const row = await server.services.db
      .selectFrom('sessions')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ auth_method: 'passkey', second_factor_at: expect.any(Date) });
  });

  it('refuses other sites, keys, people, purposes, challenges and unverified persons', async () => {
    const { passkey } = await holder();
    const stranger = await holder();
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const lies: Dishonest[] = [
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
    for (const lie of lies)
      expect(
        (await present(assert(origin, await challenge(), passkey, lie))).status,
        JSON.stringify(lie),
      ).toBe(401);
    const registering = await begin(stranger.person);
    expect((await present(assert(origin, registering, stranger.passkey))).status).toBe(401);
    expect((await present({})).status).toBe(401);
    expect((await signIn(passkey)).status).toBe(201);
  });

  it('takes a challenge once, also of answers sent side by side', async () => {
    const { passkey } = await holder();
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

  it('refuses a copy whose counter does not grow, and accepts devices without a counter', async () => {
    const { passkey } = await holder();
    expect((await signIn(passkey, { counter: 0 })).status).toBe(201);
    expect((await signIn(passkey, { counter: 0 })).status).toBe(201);
    expect((await signIn(passkey, { counter: 7 })).status).toBe(201);
    for (const counter of [7, 6, 0]) expect((await signIn(passkey, { counter })).status).toBe(401);
    const [first, second] = [await challenge(), await challenge()];
    const both = [first, second].map((options) => assert(origin, options, passkey, { counter: 8 }));
    const answers = await Promise.all(both.map((credential) => present(credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it('is refused to a suspended person', async () => {
    const { person, passkey } = await holder();
    await server.services.db
      .updateTable('users')
      .set({ state: 'suspended' })
      .where('email', '=', person.email ?? '')
      .execute();
    expect((await signIn(passkey)).status).toBe(401);
  });
});

describe('a passkey as the second factor and as confirmation', () => {
  const waiting = async (email: string | null) => {
    const answer = await server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
    expect(answer.status).toBe(202);
    return server.anonymous.with({ cookie: cookiesOf(answer) });
  };

  it('finishes a sign-in with a challenge of that person and purpose', async () => {
    const { person, passkey } = await holder();
    const stranger = await holder();
    const browser = await waiting(person.email);
    expect((await browser.call('getPendingSignIn')).body).toMatchObject({
      methods: ['passkey', 'recovery_code'],
    });
    const ask = async () => optionsOf(await browser.call('createSecondFactorChallenge'));
    const show = (credential: object) =>
      browser.call('completeSecondFactor', { body: { method: 'passkey', credential } });
    expect((await ask()).allowCredentials).toMatchObject([{ id: passkey.id }]);
    expect((await show(assert(origin, await challenge(), passkey))).status).toBe(401);
    expect((await show(assert(origin, await ask(), stranger.passkey))).status).toBe(401);
    expect((await show(assert(origin, await ask(), passkey, { verified: false }))).status).toBe(401);
    expect((await show(assert(origin, await ask(), passkey))).status).toBe(201);
    expect((await server.anonymous.call('createSecondFactorChallenge')).status).toBe(401);
  });

  it('confirms, but not with a challenge made for signing in', async () => {
    const { person, passkey } = await holder();
    const stranger = await server.register();
    expect((await stranger.call('createStepUpChallenge')).status).toBe(409);
    const ask = async () => optionsOf(await person.call('createStepUpChallenge'));
    const confirm = (credential: object) =>
      person.call('stepUp', { body: { method: 'passkey', credential } });
    expect((await person.call('getStepUp')).body).toMatchObject({ methods: ['passkey'] });
    expect((await confirm(assert(origin, await challenge(), passkey))).status).toBe(401);
    const credential = assert(origin, await ask(), passkey);
    expect((await confirm(credential)).status).toBe(204);
    expect((await confirm(credential)).status).toBe(401);
  });
});
