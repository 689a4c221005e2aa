import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiUpstream, AiKey, CreateAiKey, CreatedAiKey } from '../../../generated/api/types.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { startModelServer, whole, type ModelServer } from './testing/modelServer';

/** Budgets of AI keys, on a server that doesn't require funds. */
let server: TestServer;
let client: TestClient;
let model: ModelServer;

/** Micro-dollars that each answer of the model server costs: 600 × $3 + 400 × $0.30 + 200 × $15, per million. */
const COST = 4_920;
const BODY = JSON.stringify({
  model: 'acme/large',
  messages: [{ role: 'user', content: 'Hi' }],
  max_tokens: 200,
});
/** Micro-dollars: the most input tokens of body and template at $3, and 200 output tokens at $15. */
const WORST = (Buffer.byteLength(BODY) + 1024) * 3 + 200 * 15;
const dollars = (micros: number) => (micros / 1_000_000).toFixed(6);

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const admin = await server.register('admin@example.test');
  client = await server.register();
  model = await startModelServer(whole);
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const { id } = added.body as AdminAiUpstream;
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: 10_000,
      input_price: '3',
      cached_input_price: '0.3',
      output_price: '15',
      upstreams: [{ upstream_id: id, model: 'large' }],
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

async function newKey(limits: Omit<CreateAiKey, 'name'>) {
  const made = await client.call('createAiKey', { body: { name: 'Bot', ...limits } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { secret, key } = made.body as CreatedAiKey;
  const shown = async () => {
    const keys = (await client.call('listAiKeys')).body as unknown as AiKey[];
    return keys.find(({ id }) => id === key.id);
  };
  const chat = (body = BODY) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body,
    });
  const change = (body: object) => client.call('updateAiKey', { path: { ai_key_id: key.id }, body });
  return { key, shown, chat, change };
}
const messageOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: { message: string; code: string } };
  return [reply.status, error.code, error.message] as const;
};

describe('a key with a budget', () => {
  it('shows its usage, and refuses requests that could exceed it, saying what would fit', async () => {
    // Pays for two answers, then for the input and part of the output.
    const budget = WORST + COST + 3_000;
    const { shown, chat } = await newKey({ budget: dollars(budget), budget_period: 'day' });
    expect((await chat()).status).toBe(200);
    expect((await chat()).status).toBe(200);
    expect(await shown()).toMatchObject({ budget_used: '0.00984', budget_period: 'day' });
    const [status, code, message] = await messageOf(await chat());
    expect([status, code]).toEqual([402, 'insufficient_quota']);
    expect(message).toContain(
      `is left of this key’s budget of $${dollars(budget).replace(/0+$/, '')} per day.`,
    );
    expect(message).toMatch(/The budget resets on \d{4}-\d\d-\d\d 00:00 UTC\./);
    const fits = Number(/max_tokens to (\d+) or less/.exec(message)?.[1]);
    expect((await chat(BODY.replace('200', String(fits)))).status).toBe(200);
  });

  it('answers ten of 200 requests in parallel with money for ten', async () => {
    const { shown, chat } = await newKey({ budget: dollars(WORST * 10) });
    // As expensive as a request can be.
    model.script = (res) =>
      void res.end(
        `{"id":"chatcmpl-x","choices":[],"usage":{"prompt_tokens":9000000,"completion_tokens":9000000}}`,
      );
    /** Retries as clients do when the team has too many requests in progress. */
    const insist = async (): Promise<number> => {
      for (;;) {
        const reply = await chat();
        await reply.arrayBuffer();
        if (reply.status !== 429) return reply.status;
        await wait(100);
      }
    };
    const statuses = await Promise.all(Array.from({ length: 200 }, insist));
    model.script = whole;
    const count = (status: number) => statuses.filter((one) => one === status).length;
    expect([count(200), count(402)]).toEqual([10, 190]);
    const key = await shown();
    expect(key?.budget_used).toBe(key?.budget);
  });

  it('resets with each period, in UTC', async () => {
    const { key, shown, chat } = await newKey({ budget: dollars(WORST), budget_period: 'month' });
    expect((await chat()).status).toBe(200);
    expect((await chat()).status).toBe(402);
    await sql`update ai_key_days set day = (date_trunc('month', now() at time zone 'utc') - interval '1 day')::date
      where key_id = (select id from ai_keys where public_id = ${key.id})`.execute(server.services.db);
    expect(await shown()).toMatchObject({ budget_used: '0.00' });
    expect((await chat()).status).toBe(200);
  });

  it('can be raised and removed, with audit entries', async () => {
    const { chat, change, shown } = await newKey({ budget: '0.001' });
    expect((await chat()).status).toBe(402);
    expect((await change({ budget: '1', budget_period: 'week' })).status).toBe(200);
    expect((await chat()).status).toBe(200);
    expect((await change({ budget: null })).status).toBe(200);
    expect(await shown()).toMatchObject({ budget: null, budget_period: 'week', budget_used: '0.00492' });
    const { rows } = await sql<{ before: object; after: object }>`
      select before, after from audit_log where action = 'ai_key.update' order by seq desc limit 1`.execute(
      server.services.db,
    );
    expect(rows).toMatchObject([{ before: { budget: '1.00' }, after: { budget: null } }]);
  });

  it('does not stop other keys, nor a key without one', async () => {
    const small = await newKey({ budget: '0.001' });
    const free = await newKey({});
    expect((await small.chat()).status).toBe(402);
    expect((await free.chat()).status).toBe(200);
    expect(await free.shown()).toMatchObject({ budget: null, budget_used: '0.00492' });
  });

  it('refuses invalid amounts', async () => {
    for (const budget of ['0', '0.0000001', '1000000.01', '-1', '1e3', 'ten']) {
      const { status } = await client.call('createAiKey', { body: { name: 'Bot', budget } });
      expect([budget, status]).toEqual([budget, 422]);
    }
  });
});
