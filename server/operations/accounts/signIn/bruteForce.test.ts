import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countGuess } from '../../../db/accounts/guesses';
import { guessLimits, type GuessKind } from '../../../domain/accounts/guessLimits';
import { codeOfStep } from '../../../domain/accounts/totp';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { cookiesOf, nowStep, setUpTotp } from '../../../testing/signIn';

const ATTEMPTS = 10;
const WINDOW = 300;
const DAY = 24 * 3600 * 1000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { SIGN_IN_ATTEMPTS: String(ATTEMPTS), SIGN_IN_WINDOW_SECONDS: String(WINDOW), TRUST_PROXY: '1' },
  });
});
afterAll(() => server.stop());

/** Advances the guess windows by `ms`. */
const advance = (ms: number) =>
  sql`update guesses set window_ends_at = window_ends_at - ${Math.ceil(ms)}::float8 * interval '1 millisecond'`.execute(
    server.services.db,
  );
let next = 0;
/** Returns an unknown browser with its own IP address. */
const stranger = (cookie = '') => {
  const n = ++next;
  const address = `203.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return server.anonymous.with({ 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) });
};
const password = (from: TestClient, email: string | null, given = PASSWORD) =>
  from.call('createSession', { body: { email, password: given } });
const share = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

/**
 * Returns how many of `tries` attempts against one account are checked, each from a different IP address,
 * `side` in parallel.
 */
async function countChecked(kind: GuessKind, account: string, tries: number, side = 8): Promise<number> {
  let count = 0;
  const one = async (n: number) => {
    const ip = `198.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (const limit of guessLimits(kind, { account, ip, device: null }, ATTEMPTS))
      if (!(await countGuess(server.services.db, limit, WINDOW)).judged) return;
    count++;
  };
  for (let n = 0; n < tries; n += side) await Promise.all(Array.from({ length: side }, (_, i) => one(n + i)));
  return count;
}

describe('a thousand guesses at one account from as many IP addresses', () => {
  it.each(['password', 'code'] as const)('are checked only ten times (%s)', async (kind) => {
    expect(await countChecked(kind, `usr_${kind}`, 1_000)).toBe(ATTEMPTS);
  });

  it.each([
    ['password', 450],
    ['code', 100],
  ] as const)('are checked rarely when spread over a day (%s)', async (kind, at_most) => {
    const account = `usr_day_${kind}`;
    const key = `${kind}:account:${account}`;
    await server.services.db.deleteFrom('guesses').execute();
    let count = 0;
    for (let time = 0; time < DAY;) {
      count += await countChecked(kind, account, ATTEMPTS + 6);
      const row = await server.services.db
        .selectFrom('guesses')
        .select('window_ends_at')
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      const wait = row.window_ends_at.getTime() - Date.now() + 10;
      await advance(wait);
      time += wait;
    }
    expect(count).toBeLessThanOrEqual(at_most);
  });

  it('start with a short window again after a day without wrong guesses', async () => {
    await countChecked('code', 'usr_rest', 400);
    for (let i = 0; i < 12; i++) {
      await advance(DAY / 2);
      await countChecked('code', 'usr_rest', ATTEMPTS + 2);
    }
    await advance(3 * DAY);
    const [, limit] = guessLimits('code', { account: 'usr_rest', ip: '192.0.2.1', device: null }, ATTEMPTS);
    if (!limit) throw new Error('no limit for the account');
    const counted = await countGuess(server.services.db, limit, WINDOW);
    expect(counted.judged).toBe(true);
    expect(counted.endsInMs).toBeLessThanOrEqual(WINDOW * 1000);
  });
});

describe('the owner of an attacked account', () => {
  it('signs in from a known device during the attack, and from a new one after the window', async () => {
    const user = await server.register();
    const known = cookiesOf(await password(stranger(), user.email));
    const device = known.split('; ').find((pair) => pair.startsWith('teehouse_device=')) ?? '';
    expect(device).toContain('.');
    const statuses: number[] = [];
    for (let n = 0; n < 200; n += 10) {
      const burst = Array.from({ length: 10 }, (_, i) =>
        password(stranger(), user.email, `wrong password ${n + i}`),
      );
      for (const { status } of await Promise.all(burst)) statuses.push(status);
      if (n % 50 === 0) expect((await password(stranger(device), user.email)).status).toBe(201);
    }
    expect([share(statuses, 401), share(statuses, 429)]).toEqual([ATTEMPTS, 200 - ATTEMPTS]);
    const refused = await password(stranger(), user.email);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(WINDOW);
    await advance(wait * 1000 + 1000);
    expect((await password(stranger(), user.email)).status).toBe(201);
    await advance(DAY * 3);
    // A reset link also makes a browser known, which allows a sign-in while strangers continue to guess.
    for (let i = 0; i < ATTEMPTS; i++) await password(stranger(), user.email, 'wrong password');
    expect((await password(stranger(), user.email)).status).toBe(429);
    await stranger().call('requestPasswordReset', { body: { email: user.email } });
    const mails = await mailsTo(server.services, user.email ?? '');
    const token = mails.findLast(({ template }) => template === 'reset_password')?.token;
    const reset = await stranger().call('resetPassword', { body: { token, password: PASSWORD } });
    expect(reset.status).toBe(204);
    expect((await password(stranger(cookiesOf(reset)), user.email)).status).toBe(201);
    // The device is known to this account only, and its own guesses are counted too.
    const other = await server.register();
    for (let i = 0; i < ATTEMPTS; i++) await password(stranger(), other.email, 'wrong password');
    expect((await password(stranger(device), other.email)).status).toBe(429);
    const own = [];
    for (let i = 0; i < ATTEMPTS + 3; i++)
      own.push((await password(stranger(device), user.email, 'wrong password')).status);
    expect(share(own, 429)).toBe(3);
    for (const forged of [`${device.slice(0, -1)}A`, 'teehouse_device=x.y', 'teehouse_device='])
      expect((await password(stranger(forged), other.email)).status).toBe(429);
  });

  it('has ten wrong codes per window across sign-ins, and can still sign in from a known device', async () => {
    const user = await server.register();
    const { secret, codes } = await setUpTotp(server, user);
    const begin = async (cookie = '') => {
      const from = stranger(cookie);
      const answer = await password(from, user.email);
      expect(answer.status).toBe(202);
      return from.with({ cookie: cookiesOf(answer, cookie) });
    };
    const finish = (from: TestClient, method: string, code: string) =>
      from.call('completeSecondFactor', { body: { method, code } });
    const done = await finish(await begin(), 'totp', codeOfStep(secret, nowStep()));
    expect(done.status).toBe(201);
    const device = cookiesOf(done)
      .split('; ')
      .find((pair) => pair.startsWith('teehouse_device='));
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++) {
      const browser = await begin();
      const code = (i: number) => (i % 2 ? '000000' : '0000-0000-0000');
      for (let i = 0; i < 4; i++)
        statuses.push((await finish(browser, i % 2 ? 'totp' : 'recovery_code', code(i))).status);
    }
    expect([share(statuses, 401), share(statuses, 429)]).toEqual([ATTEMPTS, 48 - ATTEMPTS]);
    expect((await finish(await begin(), 'recovery_code', codes[0] ?? '')).status).toBe(429);
    expect((await finish(await begin(device), 'recovery_code', codes[0] ?? '')).status).toBe(201);
    await advance(WINDOW * 1000 + 1000);
    expect((await finish(await begin(), 'recovery_code', codes[1] ?? '')).status).toBe(201);
  });

  it('can confirm their identity while the account is under attack', async () => {
    const user = await server.register();
    for (let i = 0; i < 15; i++) await password(stranger(), user.email, 'wrong password');
    const confirm = (secret: string) => user.call('stepUp', { body: { method: 'password', secret } });
    expect((await confirm(PASSWORD)).status).toBe(204);
    const wrong: number[] = [];
    for (let i = 0; i < ATTEMPTS + 4; i++) wrong.push((await confirm('wrong password')).status);
    expect(share(wrong, 429)).toBe(4);
  });
});

describe('one IP address', () => {
  it('gets thirty guesses across accounts; successful sign-ins do not count', async () => {
    const from = stranger();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => password(from, `nobody${i}@example.test`, 'wrong password')),
    );
    expect(
      share(
        statuses.map(({ status }) => status),
        401,
      ),
    ).toBe(3 * ATTEMPTS);
    const office = stranger();
    const users = await Promise.all(Array.from({ length: 4 }, () => server.register()));
    const answers: number[] = [];
    for (let i = 0; i < 48; i++) answers.push((await password(office, users[i % 4]?.email ?? null)).status);
    expect(share(answers, 201)).toBe(48);
  });
});
