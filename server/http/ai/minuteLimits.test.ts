import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CreatedAiKey } from '../../../generated/api/types.gen';
import { loadConfig } from '../../config';
import { createLogger } from '../../log';
import { startServer, type RunningServer } from '../../main';
import { findLiveAiKeys } from '../../db/ai/aiKeys';
import { hashToken } from '../../domain/teams/token';
import { OPEN_TO_ALL } from '../../testing/openServer';
import { countQueries, type QueryCounter } from '../../testing/queryCount';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/* A key's limits per minute, in front of two server processes on one database. */

let server: TestServer;
let other: RunningServer;
let owner: TestClient;
let counter: QueryCounter;
beforeAll(async () => {
  counter = countQueries();
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: server.dataDir,
    DATABASE_URL: server.database.url,
    LOG_LEVEL: 'fatal',
    LOCAL_TEEPOD: 'off',
    TEEHOUSE_ROLE: 'web',
    ...OPEN_TO_ALL,
  });
  other = await startServer(config, createLogger('fatal'));
  owner = await server.register('admin@example.test');
});
afterAll(async () => {
  counter.stop();
  await other.stop();
  await server.stop();
});
beforeEach(() => sql`delete from ai_key_minutes`.execute(server.services.db));

const create = async (limits: object) =>
  (await owner.call('createAiKey', { body: { name: 'Bot', ...limits } })).body as CreatedAiKey;

const ask = async (at: string, secret: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${at}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'teehouse/echo', messages: [{ role: 'user', content: 'one two three' }] }),
  });
  await reply.arrayBuffer();
  const left = (unit: string) => reply.headers.get(`x-ratelimit-remaining-${unit}`);
  return { status: reply.status, requests: left('requests'), tokens: left('tokens') };
};
/** The key's minute began 61 seconds ago. */
const nextMinute = () =>
  sql`update ai_key_minutes set began_at = began_at - interval '61 seconds'`.execute(server.services.db);

it('admits exactly so many requests, whichever process gets them', async () => {
  const { secret } = await create({ requests_per_minute: 10 });
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(i % 2 === 0 ? server.url : other.url, secret)),
  );
  const admitted = replies.filter(({ status }) => status === 200);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
  // Each has its own number in the minute.
  expect(admitted.map(({ requests }) => Number(requests)).sort((a, b) => a - b)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
  await nextMinute();
  expect(await ask(other.url, secret)).toMatchObject({ status: 200, requests: '9' });
  expect(await ask(server.url, secret)).toMatchObject({ status: 200, requests: '8' });
});

it('counts the tokens of answers of any process, and no request over the token limit', async () => {
  const { secret } = await create({ tokens_per_minute: 5, requests_per_minute: 10 });
  expect(await ask(server.url, secret)).toEqual({ status: 200, requests: '9', tokens: '5' });
  expect(await ask(other.url, secret)).toEqual({ status: 429, requests: null, tokens: '0' });
  expect(await ask(server.url, secret)).toMatchObject({ status: 429 });
  await sql`delete from ai_key_minutes where unit = 'tokens'`.execute(server.services.db);
  expect(await ask(other.url, secret)).toEqual({ status: 200, requests: '8', tokens: '5' });
  await nextMinute();
  expect(await ask(server.url, secret)).toEqual({ status: 200, requests: '9', tokens: '5' });
});

it('counts only requests to models, and costs no query', async () => {
  const limits = { requests_per_minute: 10, tokens_per_minute: 1000 };
  const { secret } = await create(limits);
  await ask(server.url, secret);
  for (const path of ['models', 'aci/receipts/none']) {
    const reply = await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${secret}` } });
    await reply.arrayBuffer();
  }
  expect(await ask(server.url, secret)).toMatchObject({ requests: '8' });
  const unlimited = await create({});
  await ask(server.url, unlimited.secret);
  // The key and the record.
  for (const one of [secret, unlimited.secret])
    expect(await counter.during((headers) => ask(server.url, one, headers))).toHaveLength(2);
  const { rows } = await sql`select from ai_key_minutes m join ai_keys k on k.id = m.key_id
    where k.public_id = ${unlimited.key.id}`.execute(server.services.db);
  expect(rows).toEqual([]);
});

it('counts both secrets of a rotated key together', async () => {
  const { secret, key } = await create({ requests_per_minute: 10 });
  const { db } = server.services;
  const rotated = await owner.call('rotateAiKey', { path: { ai_key_id: key.id }, body: { grace_hours: 1 } });
  const secrets = [secret, (rotated.body as CreatedAiKey).secret];
  const sought = secrets.flatMap((one) => [
    { hash: hashToken(one), counts: true },
    { hash: hashToken(one), counts: false },
  ]);
  const found = await findLiveAiKeys(db, [...sought, ...sought]);
  expect(found.map((one) => one?.minute_requests?.used)).toEqual([
    1,
    undefined,
    2,
    undefined,
    3,
    undefined,
    4,
    undefined,
  ]);
});
