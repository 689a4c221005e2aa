import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { DeviceCode } from '../../../generated/api/types.gen';
import { newUserCode } from '../../domain/deviceCode';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Somebody who looks up codes that nobody has is guessing at the logins of others, to approve them as themselves. */
const GUESSES = 10_000;
/** What the server has by default. */
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
/** The address's own limit per minute is passed by: what is tried here is the one behind it. */
const nextMinute = () => sql`delete from rate_limits where key like 'device:%'`.execute(server.services.db);

it('10,000 guessed codes: a handful is judged, and the person whose login it is gets on with it', async () => {
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
  // The right code is not judged either while they wait; nor is the decision.
  expect((await look(thief, waiting.user_code)).status).toBe(429);
  const steal = { user_code: waiting.user_code, decision: 'approve', workspace_slug: 'thief' };
  expect((await thief.call('decideDeviceAuthorization', { body: steal })).status).toBe(429);
  expect((await look(victim, waiting.user_code)).body).toMatchObject({ state: 'pending' });
  const own = { user_code: waiting.user_code, decision: 'approve', workspace_slug: 'victim' };
  expect((await victim.call('decideDeviceAuthorization', { body: own })).status).toBe(200);
  // And the wait ends.
  await sql`update guesses set window_ends_at = now() where key like 'device_code:%'`.execute(
    server.services.db,
  );
  expect((await look(thief, (await begin()).user_code)).status).toBe(200);
}, 300_000);

it('knowing a code of one’s own does not buy more guesses', async () => {
  await nextMinute();
  await sql`delete from guesses`.execute(server.services.db);
  const own = await begin();
  let judged = 0;
  for (let i = 0; i < ATTEMPTS * 2; i++) {
    if ((await look(thief, newUserCode())).status === 404) judged++;
    await look(thief, own.user_code);
  }
  expect(judged).toBeLessThanOrEqual(ATTEMPTS);
  // Who looks at a right code again and again, as a page does, is no guesser.
  await sql`delete from guesses`.execute(server.services.db);
  for (let i = 0; i < ATTEMPTS * 3; i++) expect((await look(victim, own.user_code)).status).toBe(200);
});
