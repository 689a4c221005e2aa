import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type {
  AdminAiGateway,
  AdminAiGatewayTokens,
  AdminAiUpstream,
  AiRequestPage,
  Billing,
  CreatedAiKey,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { startBooks } from '../../../jobs/billing/testing/books';
import { startModelServer, whole } from '../../../operations/ai/testing/modelServer';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer } from '../../../testing/server';

export const IMAGE = `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`;
/** ID of the model admitted at gateways. */
export const CONTEXT = 10_000;
/** Micro-dollars: a whole context at the output price. */
export const WORST = CONTEXT * 15;

let count = 0;
/** A report of an answer of 1,000 tokens in, 400 of them cached, and 200 out: $0.00492. */
export const reportOf = (more: object) => ({
  requestId: `req_${(count += 1)}`,
  endpoint: '/v1/chat/completions',
  status: 200,
  durationMs: 812,
  ttftMs: 94,
  isStreaming: true,
  attemptIndex: 0,
  selectedRouteId: 'gpu-1:acme/large',
  requestModel: 'acme/large',
  usage: { prompt_tokens: 1000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 400 } },
  pricing: null,
  ...more,
});

export type ControlTest = Awaited<ReturnType<typeof startControlTest>>;

/**
 * A server with billing, a model on two upstreams and a gateway with tokens. No worker runs: tests post the
 * hours.
 */
export async function startControlTest() {
  const server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  const admin = await server.register('admin@example.test');
  const books = await startBooks(server.services);
  const model = await startModelServer(whole);

  const addUpstream = async (body: object) =>
    ((await admin.call('createAdminAiUpstream', { body })).body as AdminAiUpstream).id;
  const addGateway = async (name: string) => {
    const added = await admin.call('createAdminAiGateway', {
      body: { name, url: 'https://ai.example.com/v1/', image: IMAGE },
    });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    return added.body as AdminAiGateway;
  };
  const issue = async (id: number) => {
    const issued = await admin.call('issueAdminAiGatewayTokens', { path: { id } });
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
    return issued.body as AdminAiGatewayTokens;
  };

  const upstream_ids = [
    await addUpstream({ name: 'gpu-1', url: model.url, api_key: 'sk-upstream' }),
    await addUpstream({ name: 'gpu-2', url: model.url.replace('/v1', '/openai') }),
  ];
  const made = await admin.call('createAdminAiModel', {
    body: {
      model: 'acme/large',
      name: 'Large',
      context_length: CONTEXT,
      input_price: '3',
      cached_input_price: '0.3',
      output_price: '15',
      upstreams: upstream_ids.map((upstream_id) => ({ upstream_id, model: 'Large-FP8' })),
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const gateway = await addGateway('tee-1');
  const tokens = await issue(gateway.id);

  const send = async (path: string, body?: unknown, token = tokens.control_token) => {
    const reply = await fetch(`${server.url}/ai-control${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };

  return {
    server,
    db,
    admin,
    books,
    model,
    upstream_ids,
    gateway_id: gateway.id,
    tokens,
    addGateway,
    issue,
    send,
    post: async (more: object) => (await send('/consult/post', reportOf(more))).body,
    async team(funds = 10_000_000, key: object = {}) {
      const client = await server.register();
      const { team_id } = await identityOf(db, client.email!);
      if (funds > 0) await books.topUp(team_id, funds);
      const created = await client.call('createAiKey', { body: { name: 'Bot', ...key } });
      const { secret, key: own } = created.body as CreatedAiKey;
      const apiKeyHash = createHash('sha256').update(secret).digest('hex');
      return {
        client,
        team_id,
        key_id: own.id,
        apiKeyHash,
        pre: async (more: object = {}) =>
          (await send('/consult/pre', { apiKeyHash, model: 'acme/large', ...more })).body,
        billing: async () => (await client.call('getBilling')).body as Billing,
        requests: async () => ((await client.call('listAiRequests')).body as AiRequestPage).data,
        held: () =>
          db.selectFrom('ai_holds').select('amount_micros').where('team_id', '=', team_id).execute(),
      };
    },
    async stop() {
      expect(await checkBooks(db)).toEqual([]);
      await server.stop();
      await model.stop();
    },
  };
}
