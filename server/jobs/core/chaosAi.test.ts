import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../../operations/ai/testing/modelServer';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { commandLine } from '../../testing/commandLine';
import type { TestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { closeAiUsage } from '../billing/closeAiUsage';
import { startBooks, type Books } from '../billing/testing/books';
import { housekeeping } from './housekeeping';

/**
 * kill -9 of the server, which is also the AI gateway, at random moments of answers. Afterwards each answer
 * that a client received in full is billed once, no answer is billed twice, and no hold remains.
 * `CHAOS_AI_KILLS` sets how often.
 */
const KILLS = Number(process.env.CHAOS_AI_KILLS ?? 4);
const LANES = 6;
const MAX_TOKENS = 40;
const PROMPT_TOKENS = 11;
/** Millionths of a micro-dollar per token: no request costs whole micro-dollars. */
const PICOS = { input: 370_000, output: 1_030_000 };

let server: ChaosServer;
let database: TestDatabase;
let books: Books;
let model: ModelServer;
let secret: string;
let team_id: number;
/** Tokens of the answers that have started, by answer ID. */
const begun = new Map<string, number>();

beforeAll(async () => {
  model = await startModelServer(async (res, { body }) => {
    const completion_tokens = 1 + Math.floor(Math.random() * MAX_TOKENS);
    const id = `chatcmpl-${begun.size}`;
    begun.set(id, completion_tokens);
    const usage = { prompt_tokens: PROMPT_TOKENS, completion_tokens };
    await wait(Math.random() * 60);
    if (!body.includes('"stream":true'))
      return void res.end(JSON.stringify({ id, choices: [{ message: { content: 'a' } }], usage }));
    res.setHeader('content-type', 'text/event-stream');
    for (let n = 0; n < completion_tokens; n++) {
      res.write(`data: ${JSON.stringify({ id, choices: [{ index: 0, delta: { content: 'a' } }] })}\n\n`);
      await wait(Math.random() * 10);
    }
    res.end(`data: ${JSON.stringify({ id, choices: [], usage })}\n\ndata: [DONE]\n\n`);
  });
  server = await startChaosServer({ teepod: false, apart: true, env: { BILLING_ENFORCEMENT: 'on' } });
  if (!server.database) throw new Error('the database dies with the server');
  ({ database } = server);
  books = await startBooks(database);
  const make = async (path: string, body: object) => {
    const made = await server.call('POST', path, body);
    expect(made?.status, JSON.stringify(made?.body)).toBe(201);
    return made!.body;
  };
  const { id } = await make('/admin/ai-upstreams', { name: 'gpu-1', url: model.url });
  await make('/admin/ai-models', {
    model: 'acme/large',
    name: 'Large',
    context_length: 10_000,
    input_price: '0.37',
    output_price: '1.03',
    upstreams: [{ upstream_id: id, model: 'large' }],
  });
  secret = String((await make('/ai/keys', { name: 'Bot' })).secret);
  [{ team_id }] = (await server.query('select team_id::int from ai_keys')) as [{ team_id: number }];
  await books.topUp(team_id, 1_000_000_000);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await model?.stop();
});

/**
 * Returns the answer's ID if the client received all of it; null if it broke off, or a starting server refused
 * it.
 */
async function answered(stream: boolean): Promise<string | null> {
  try {
    const reply = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'acme/large',
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: MAX_TOKENS,
        ...(stream ? { stream } : {}),
      }),
    });
    const text = await reply.text();
    if (reply.status !== 200 || (stream && !text.endsWith('data: [DONE]\n\n'))) return null;
    return /"id":"(chatcmpl-\d+)"/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

it(`answers are billed once, across ${KILLS} kills of the gateway`, { timeout: 3_600_000 }, async () => {
  let stopped = false;
  let broken = 0;
  const until = (count: number) => eventually('answers arrive', async () => whole.size >= count);
  const whole = new Set<string>();
  const lane = async (n: number) => {
    for (let turn = n; !stopped; turn++) {
      const id = await answered(turn % 3 > 0);
      if (id !== null) whole.add(id);
      else broken += 1;
      if (id === null) await wait(50);
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)));
  for (let n = 0; n < KILLS; n++) {
    await until(whole.size + LANES);
    await wait(Math.random() * 300);
    await server.kill('web');
  }
  await until(whole.size + LANES);
  stopped = true;
  await lanes;

  const rows = await server.query<{ id: string; picos: string; outcome: string }>(
    'select public_id as id, cost_picos::text as picos, outcome from ai_requests',
  );
  // None is lost or billed twice, not even an answer that its client received only in part.
  const billed = new Set(rows.map(({ id }) => id));
  expect(billed.size).toBe(rows.length);
  for (const id of whole) expect(billed.has(id), id).toBe(true);
  for (const { id, picos, outcome } of rows)
    if (outcome === 'completed')
      expect(Number(picos), id).toBe(PROMPT_TOKENS * PICOS.input + (begun.get(id) ?? NaN) * PICOS.output);

  // Holds of killed answers count for a while, and are then released.
  const [held] = await server.query<{ count: number }>('select count(*)::int from ai_holds');
  expect(held!.count).toBeLessThanOrEqual(KILLS * LANES);
  await server.query("update ai_holds set created_at = created_at - interval '3 hours'");
  await housekeeping(database.db);
  expect(await server.query('select * from ai_holds')).toEqual([]);

  await closeAiUsage({
    db: database.db,
    log: pino({ level: 'silent' }),
    now: new Date(Date.now() + 2 * 3_600_000),
  });
  const [sums] = await server.query<Record<'requests' | 'days' | 'carry', string>>(`select
    (select sum(cost_picos) from ai_requests)::text as requests,
    (select sum(cost_picos) from ai_key_days)::text as days,
    (select carry_picos from ai_meters where team_id = ${team_id})::text as carry`);
  const charged = BigInt(await books.charged(team_id)) * 1_000_000n + BigInt(sums!.carry);
  expect([charged, BigInt(sums!.days)]).toEqual([BigInt(sums!.requests), BigInt(sums!.requests)]);
  const verify = await commandLine({ DATABASE_URL: database.url, DATA_DIR: '/nonexistent' })(['verify']);
  expect(verify, verify.out.filter((line) => /BROKEN|, not/.test(line)).join()).toMatchObject({ code: 0 });
  console.info(
    `chaos of AI: ${KILLS} kills; ${whole.size} whole answers, ${broken} that broke off or were refused, ${held!.count} held until then`,
  );
});
