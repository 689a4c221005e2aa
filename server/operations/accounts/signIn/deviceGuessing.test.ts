import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { DeviceCode } from '../../../../generated/api/types.gen';
import { newUserCode } from '../../../domain/accounts/deviceCode';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/**
 * Looking up nonexistent codes is an attempt to guess another user's login and approve it as one's own.
 */
const GUESSES = 1_000;
/** The server's default. */
const ATTEMPTS = 10;
const CODES = 20 ** 8;
let server: TestServer;
let thief: TestClient;
let victim: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', SIGN_IN_ATTEMPTS: String(ATTEMPTS) } });
  thief = await server.register('thief@example.test');
  victim = await server.register('victim@example.test');
});
afterAll(() => server.stop());

const look = (who: TestClient, user_code: string) =>
  who.call('getDeviceAuthorization', { path: { user_code } });
const begin = async () =>
  (await server.anonymous.call('createDeviceCode', { body: { client_id: 'phala-cli' } })).body as DeviceCode;
/** Bypasses the IP address's per-minute limit, to test the next limit. */
const nextMinute = () => sql`delete from rate_limits where key like 'device:%'`.execute(server.services.db);

it('checks ten of a thousand guessed codes, and the owner can still decide on the pending login', async () => {
  const waiting = await begin();
  const counts = new Map<number, number>();
  for (let sent = 0; sent < GUESSES; sent += 100) {
    await nextMinute();
    const answers = await Promise.all(Array.from({ length: 100 }, () => look(thief, newUserCode())));
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const judged = counts.get(404) ?? 0;
  console.info(
    `device codes: ${GUESSES} guesses, ${judged} judged, ${counts.get(429) ?? 0} refused unjudged; ` +
      `chance to hit one waiting login ${(judged / CODES).toExponential(1)}`,
  );
  expect(judged).toBe(ATTEMPTS);
  expect(counts.get(429)).toBe(GUESSES - ATTEMPTS);
  await nextMinute();
  // While they wait, the right code isn't checked either, and neither is the decision.
  expect((await look(thief, waiting.user_code)).status).toBe(429);
  const steal = { user_code: waiting.user_code, decision: 'approve', workspace_slug: 'thief' };
  expect((await thief.call('decideDeviceAuthorization', { body: steal })).status).toBe(429);
  expect((await look(victim, waiting.user_code)).body).toMatchObject({ state: 'pending' });
  const own = { user_code: waiting.user_code, decision: 'approve', workspace_slug: 'victim' };
  expect((await victim.call('decideDeviceAuthorization', { body: own })).status).toBe(200);
  // After the wait.
  await sql`update guesses set window_ends_at = now() where key like 'device_code:%'`.execute(
    server.services.db,
  );
  expect((await look(thief, (await begin()).user_code)).status).toBe(200);
});

it('does not allow more guesses to a user who knows a valid code', async () => {
  await nextMinute();
  await sql`delete from guesses`.execute(server.services.db);
  const own = await begin();
  let judged = 0;
  for (let i = 0; i < ATTEMPTS * 2; i++) {
    if ((await look(thief, newUserCode())).status === 404) judged++;
    await look(thief, own.user_code);
  }
  expect(judged).toBeLessThanOrEqual(ATTEMPTS);
  // Repeatedly looking up a valid code, as a page does, doesn't count as guessing.
  await sql`delete from guesses`.execute(server.services.db);
  for (let i = 0; i < ATTEMPTS * 3; i++) expect((await look(victim, own.user_code)).status).toBe(200);
});
