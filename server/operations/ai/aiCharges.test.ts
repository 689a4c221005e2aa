import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminAiUpstream,
  AiRequestPage,
  AiUsage,
  Billing,
  Budget,
  CreatedAiKey,
} from '../../../generated/api/types.gen';
import { checkBooks } from '../../db/billing/checkBooks';
import { closeAiUsage } from '../../jobs/billing/closeAiUsage';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { identityOf } from '../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { chunk, startModelServer, streamed, WHOLE, whole, type ModelServer } from './testing/modelServer';

/** No worker runs: the tests close the hours. */
let server: TestServer;
let admin: TestClient;
let books: Books;
let model: ModelServer;

beforeAll(async () => {
  server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  books = await startBooks(server.services);
  model = await startModelServer(whole);
  const added = await admin.call('createAdminAiUpstream', { body: { name: 'gpu-1', url: model.url } });
  const { id } = added.body as AdminAiUpstream;
  for (const [name, price] of [
    ['acme/large', { input_price: '3', cached_input_price: '0.3', output_price: '15' }],
    ['acme/free', { input_price: '0', cached_input_price: '0', output_price: '0' }],
  ] as const) {
    const made = await admin.call('createAdminAiModel', {
      body: {
        model: name,
        name: 'Large',
        context_length: 10_000,
        ...price,
        upstreams: [{ upstream_id: id, model: 'large' }],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
});
afterAll(async () => {
  expect(await checkBooks(db())).toEqual([]);
  await server.stop();
  await model.stop();
});

const db = () => server.services.db;
const MAX_TOKENS = 200;
const asked = (more: object = {}) =>
  JSON.stringify({
    model: 'acme/large',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: MAX_TOKENS,
    ...more,
  });
/** Micro-dollars: the most input tokens of body and template at $3, and 200 output tokens at $15. */
const worst = (body = asked()) => (Buffer.byteLength(body) + 1024) * 3 + MAX_TOKENS * 15;

async function team(funds: number) {
  const client = await server.register();
  const { team_id } = await identityOf(db(), client.email!);
  if (funds > 0) await books.topUp(team_id, funds);
  const { secret } = (await client.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey;
  return {
    client,
    team_id,
    chat: (body = asked(), init: RequestInit = {}) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body,
        ...init,
      }),
    billing: async () => (await client.call('getBilling')).body as Billing,
    requests: async () => ((await client.call('listAiRequests')).body as AiRequestPage).data,
    held: () => db().selectFrom('ai_holds').select('amount_micros').where('team_id', '=', team_id).execute(),
  };
}

const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: { message: string; code: string; type: string } };
  return { status: reply.status, retry: reply.headers.get('x-should-retry'), ...error };
};
const dollars = (micros: number) => (micros / 1_000_000).toFixed(6).replace(/0{1,4}$/, '');

describe('a request to a model with a price', () => {
  it('is paid from the balance immediately, and posted with its hour', async () => {
    model.script = whole;
    const { client, team_id, chat, billing, held } = await team(1_000_000);
    expect(await (await chat()).text()).toBe(WHOLE);
    // 600 × $3 + 400 × $0.30 + 200 × $15, per million
    expect(await billing()).toMatchObject({ balance: '0.99508', accrued: '0.00492', prepaid: '1.00' });
    expect(await held()).toEqual([]);
    expect((await client.call('getCurrentUser')).body).toMatchObject({ credits: { balance: '0.99508' } });
    const usage = async () => (await client.call('getAiUsage')).body as AiUsage;
    expect(await usage()).toMatchObject({ charged: '0.00', not_charged: '0.00492' });

    await closeAiUsage({ ...server.services, now: new Date(Date.now() + 2 * 3_600_000) });
    expect(await billing()).toMatchObject({ balance: '0.99508', accrued: '0.00', prepaid: '0.99508' });
    expect(await usage()).toMatchObject({ charged: '0.00492', not_charged: '0.00' });
    const { body } = await client.call('listTransactions');
    expect(body).toMatchObject({
      items: [
        { kind: 'usage', description: expect.stringMatching(/^Confidential AI on /), amount: '-0.00492' },
        { kind: 'top_up' },
      ],
    });
    expect(await books.charged(team_id)).toBe(4920);
  });

  it('is refused without funds for its maximum cost, with advice', async () => {
    const { client, chat, requests, held } = await team(5_000);
    const before = model.calls.length;
    const refused = await errorOf(await chat());
    expect(refused).toMatchObject({
      status: 402,
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      retry: 'false',
    });
    const most = Math.floor((5_000 - (worst() - MAX_TOKENS * 15)) / 15);
    expect(refused.message).toBe(
      `This request can cost up to $${dollars(worst())}, but the team has $0.005 to spend. ` +
        `The team is $${dollars(worst() - 5_000)} short. ` +
        `Add at least $1.00 at ${server.services.config.publicUrl}/setup-billing?team=${client.slug}. Or set max_tokens to ${most} or less.`,
    );
    expect(model.calls.length).toBe(before);
    expect(await held()).toEqual([]);
    expect(await requests()).toMatchObject([{ status: 402, outcome: 'failed', cost: '0.00' }]);
    // Following the advice works.
    model.script = whole;
    expect((await chat(asked({ max_tokens: most }))).status).toBe(200);
    // Without max_tokens, the answer can fill the context.
    expect((await errorOf(await chat(asked({ max_tokens: undefined })))).message).toContain('up to $0.15');
  });

  it('needs no funds if the model is free', async () => {
    model.script = whole;
    const { chat, billing } = await team(0);
    expect((await chat(asked({ model: 'acme/free' }))).status).toBe(200);
    expect((await chat(asked({ model: 'teehouse/echo' }))).status).toBe(200);
    expect((await chat()).status).toBe(402);
    expect(await billing()).toMatchObject({ balance: '0.00' });
  });

  it('costs at most what was held, whatever the model server reports', async () => {
    model.script = (res) =>
      void res.end(
        WHOLE.replace('"prompt_tokens":1000', '"prompt_tokens":9007199254740991').replace(
          '"completion_tokens":200',
          '"completion_tokens":9007199254740991',
        ),
      );
    const { chat, billing, requests } = await team(worst());
    expect((await chat()).status).toBe(200);
    const [row] = await requests();
    expect(row).toMatchObject({
      input_tokens: Buffer.byteLength(asked()) + 1024,
      output_tokens: MAX_TOKENS,
    });
    expect(Number((await billing()).balance)).toBeGreaterThanOrEqual(0);
  });

  it('whose client disconnects is charged for the tokens sent, and its hold is released', async () => {
    model.script = async (res, call) => {
      res.setHeader('content-type', 'text/event-stream');
      while (!call.isCut) {
        res.write(chunk('more '));
        await wait(1);
      }
    };
    const { chat, billing, requests, held } = await team(1_000_000);
    const left = new AbortController();
    const reply = await chat(asked({ stream: true }), { signal: left.signal });
    await reply.body?.getReader().read();
    expect(await held()).toEqual([{ amount_micros: worst(asked({ stream: true })) }]);
    left.abort();
    await eventually('the request is recorded', async () => (await requests())[0]?.outcome === 'aborted');
    const [row] = await requests();
    expect(row?.output_tokens).toBeGreaterThan(0);
    expect(await held()).toEqual([]);
    expect(Number((await billing()).accrued)).toBeCloseTo(Number(row?.cost), 6);
    expect(Number(row?.cost)).toBeGreaterThan(0);
  });

  it('that fails without an answer is free', async () => {
    model.script = (res) => void res.destroy();
    const { chat, billing, held } = await team(1_000_000);
    expect((await chat()).status).toBe(502);
    expect([await held(), (await billing()).accrued]).toEqual([[], '0.00']);
    model.script = streamed;
    await (await chat(asked({ stream: true }))).text();
    expect((await billing()).accrued).toBe('0.00492');
  });

  it('that cannot be recorded is not acknowledged, and its hold stays', async () => {
    model.script = whole;
    const { team_id, chat, billing, held } = await team(1_000_000);
    await sql`alter table ai_requests add constraint broken check (team_id <> ${sql.lit(team_id)})`.execute(
      db(),
    );
    const failed = await errorOf(await chat());
    expect(failed).toMatchObject({ status: 500, type: 'server_error' });
    expect(await held()).toEqual([{ amount_micros: worst() }]);
    expect((await billing()).accrued).toBe('0.00');
    await sql`alter table ai_requests drop constraint broken`.execute(db());
    // What is held is not available to others.
    await books.topUp(team_id, worst() - 1_000_000);
    expect((await errorOf(await chat())).message).toContain(`$${dollars(worst())} of it set aside`);
  });

  it('is refused once a stopping team budget is used up', async () => {
    model.script = whole;
    const { client, chat } = await team(1_000_000);
    expect((await chat()).status).toBe(200);
    const budget = async (action: string, amount: string) =>
      (
        await client.call('createBudget', {
          body: { period: action === 'stop' ? 'month' : 'day', amount, action },
        })
      ).body as Budget;
    expect(await budget('notify', '0.01')).toMatchObject({ used: '0.00492', used_up_at: null });
    const { id, used } = await budget('stop', '0.01');
    expect(used).toBe('0.00492');
    for (let n = 0; n < 2; n++) expect((await chat()).status).toBe(200);
    // Normally checked by a worker.
    const path = { budget_id: id };
    const changed = await client.call('updateBudget', { path, body: { amount: '0.011' } });
    expect(changed.body).toMatchObject({ used: '0.01476', used_up_at: expect.any(String) });
    const refused = await errorOf(await chat());
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_quota', retry: 'false' });
    expect(refused.message).toMatch(
      /^The monthly team budget, \$0\.011, is used up until .* Raise it at .*\/cost\?team=/,
    );
    expect((await chat(asked({ model: 'acme/free' }))).status).toBe(200);
    await client.call('updateBudget', { path, body: { amount: '5' } });
    expect((await chat()).status).toBe(200);
  });
});

describe('200 parallel requests', () => {
  it('with money for ten get ten answers, and the balance is never below zero', async () => {
    // As expensive as a request can be.
    model.script = (res) =>
      void res.end(
        `{"id":"chatcmpl-x","choices":[],"usage":{"prompt_tokens":9000000,"completion_tokens":9000000}}`,
      );
    const { chat, billing, held, requests } = await team(10 * worst());
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
    const count = (status: number) => statuses.filter((one) => one === status).length;
    expect([count(200), count(402)]).toEqual([10, 190]);
    expect((await billing()).balance).toBe('0.00');
    expect(await held()).toEqual([]);
    expect((await requests()).filter(({ cost }) => cost !== '0.00').length).toBeLessThanOrEqual(10);
  });
});
