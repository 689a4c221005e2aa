import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminAiUpstream, AiGateway, CreatedAiKey, Problem } from '../../../generated/api/types.gen';
import { startControlTest, type ControlTest } from './testing/control';

/* Upstreams that must attest before they receive a prompt. */

let world: ControlTest;
let proven: AdminAiUpstream;
let secret: string;
const APP = 'ab'.repeat(20);
const ROOT = `02${'cd'.repeat(32)}`;
const PROVEN = {
  name: 'proven',
  url: 'https://models.example.test/v1',
  evidence_required: true,
  accepted_app_ids: [`app_${APP.toUpperCase()}`],
  accepted_kms_keys: [`0x${ROOT}`],
};

beforeAll(async () => {
  world = await startControlTest();
  const added = await world.admin.call('createAdminAiUpstream', { body: PROVEN });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  proven = added.body as AdminAiUpstream;
  await addModel('acme/proven', [proven.id]);
  await addModel('acme/mixed', [proven.id, world.upstream_ids[0]!]);
  const { client } = await world.team();
  ({ secret } = (await client.call('createAiKey', { body: { name: 'Bot' } })).body as CreatedAiKey);
});
afterAll(() => world.stop());

async function addModel(model: string, upstream_ids: number[]): Promise<void> {
  const body = {
    model,
    name: model,
    context_length: 1000,
    input_price: '1',
    output_price: '1',
    upstreams: upstream_ids.map((upstream_id) => ({ upstream_id, model: 'large' })),
  };
  const added = await world.admin.call('createAdminAiModel', { body });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
}

const chat = (model: string) =>
  fetch(`${world.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
const refusedAs = async (model: string) => {
  const reply = await chat(model);
  const { error } = (await reply.json()) as { error: { type: string; message: string } };
  return { reply, error };
};
const change = async (body: object) => {
  const reply = await world.admin.call('updateAdminAiUpstream', { path: { id: proven.id }, body });
  return { status: reply.status, field: (reply.body as unknown as Problem).details?.[0]?.field };
};

it('is required together with the accepted apps and keys', async () => {
  expect(proven).toMatchObject({
    evidence_required: true,
    accepted_app_ids: [APP],
    accepted_kms_keys: [ROOT],
  });
  expect(await change({ accepted_app_ids: [] })).toEqual({ status: 422, field: 'accepted_app_ids' });
  expect(await change({ accepted_kms_keys: [] })).toEqual({ status: 422, field: 'accepted_kms_keys' });
  // Evidence covers the key of a TLS connection.
  expect(await change({ url: 'http://models.example.test/v1' })).toEqual({ status: 422, field: 'url' });
  expect((await change({ accepted_kms_keys: ['04'.repeat(33)] })).status).toBe(422);
  const plain = { name: 'plain', url: 'https://other.example.test/v1', evidence_required: true };
  expect((await world.admin.call('createAdminAiUpstream', { body: plain })).status).toBe(422);
});

it('keeps prompts from an upstream that the built-in gateway cannot verify', async () => {
  const { reply, error } = await refusedAs('acme/proven');
  expect(reply.status).toBe(503);
  expect(error).toMatchObject({
    type: 'upstream_verification_failed',
    message: expect.stringContaining('The prompt was not forwarded'),
  });
  expect(reply.headers.get('x-should-retry')).toBe('false');
  const receipt = await fetch(`${world.server.url}/v1/aci/receipts/${reply.headers.get('x-receipt-id')}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(((await receipt.json()) as { event_log: object[] }).event_log).toMatchObject([
    { type: 'request.received' },
    { type: 'upstream.verified', result: 'failed', required: true },
    { type: 'response.returned' },
  ]);
  expect(await world.db.selectFrom('ai_holds').selectAll().execute()).toEqual([]);
});

it('is skipped if a model has another upstream', async () => {
  const before = world.model.calls.length;
  const reply = await chat('acme/mixed');
  expect(reply.status).toBe(200);
  await reply.text();
  expect(world.model.calls).toHaveLength(before + 1);
});

it('is passed to gateways in a TEE with its acceptance policy', async () => {
  const { body } = await world.send('/upstreams', undefined, world.tokens.config_token);
  const upstreams = body.upstreams as { name: string }[];
  expect(upstreams.find(({ name }) => name.startsWith('proven'))).toEqual({
    name: expect.stringMatching(/^proven\.[0-9a-f]{16}$/),
    provider: 'aci-service',
    accepted_subjects: [`app-id:0x${APP}`],
    accepted_dstack_kms_root_public_keys: [ROOT],
    base_url: 'https://models.example.test',
    models: { 'acme/mixed': 'large', 'acme/proven': 'large' },
    read_timeout_seconds: 300,
  });
  expect(upstreams.find(({ name }) => name === 'gpu-1')).not.toHaveProperty('provider');
});

it('lets gateways serve requests restricted to TEEs', async () => {
  const { pre } = await world.team();
  expect(await pre({ model: 'acme/mixed', tee: true })).toMatchObject({
    allow: true,
    candidates: [{ routeId: expect.stringMatching(/^proven\.[0-9a-f]{16}:acme\/mixed$/) }],
  });
  expect(await pre({ model: 'acme/large', tee: true })).toMatchObject({ allow: false, status: 404 });
  const listed = async (path: string) =>
    ((await world.send(path)).body.data as { id: string; is_tee: boolean }[]).map(
      ({ id, is_tee }) => `${id} ${is_tee}`,
    );
  expect(await listed('/models?tee=true')).toEqual(['acme/mixed true', 'acme/proven true']);
  expect(await listed('/models')).toContain('acme/large false');
});

it('is never satisfied by a gateway with an earlier policy, which does not know the route', async () => {
  const body = { name: 'moving', url: 'https://moving.example.test/v1' };
  const { id } = (await world.admin.call('createAdminAiUpstream', { body })).body as AdminAiUpstream;
  await addModel('acme/moving', [id]);
  const { pre, team_id } = await world.team();
  /** Returns the currently admitted route, which only a gateway with the newest configuration knows. */
  const route = async () => {
    const { candidates, virtualKeyId } = await pre({ model: 'acme/moving' });
    const [{ routeId }] = candidates as [{ routeId: string }];
    const configured = (await world.send('/upstreams', undefined, world.tokens.config_token)).body;
    const names = (configured.upstreams as { name: string }[]).map(({ name }) => `${name}:acme/moving`);
    expect(names).toContain(routeId);
    return { routeId, virtualKeyId };
  };
  const policies = [
    {},
    { evidence_required: true, accepted_app_ids: [APP], accepted_kms_keys: [ROOT] },
    { accepted_app_ids: ['ef'.repeat(20)] },
    { accepted_kms_keys: [`03${'cd'.repeat(32)}`] },
  ];
  const routes: string[] = [];
  for (const policy of policies) {
    const changed = await world.admin.call('updateAdminAiUpstream', { path: { id }, body: policy });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    routes.push((await route()).routeId);
  }
  expect(routes[0]).toBe('moving:acme/moving');
  expect(new Set(routes).size).toBe(policies.length);

  // The order of apps isn't part of the policy.
  const pair = [APP, 'ef'.repeat(20)];
  const listed = async (accepted_app_ids: string[]) => {
    await world.admin.call('updateAdminAiUpstream', { path: { id }, body: { accepted_app_ids } });
    return route();
  };
  const { routeId, virtualKeyId } = await listed(pair);
  expect((await listed(pair.toReversed())).routeId).toBe(routeId);
  // Its reports still count for the upstream.
  expect(await world.post({ virtualKeyId, selectedRouteId: routeId })).toEqual({ recorded: true });
  const recorded = world.db.selectFrom('ai_requests').select('upstream_id').where('team_id', '=', team_id);
  expect(await recorded.execute()).toEqual([{ upstream_id: id }]);
});

it('excludes its models from the built-in gateway’s list', async () => {
  const get = async (path: string) => {
    const reply = await fetch(`${world.server.url}/v1${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return {
      status: reply.status,
      body: (await reply.json()) as { data: { id: string; is_tee: boolean }[] },
    };
  };
  const { data } = (await get('/models')).body;
  const ids = data.map(({ id }) => id);
  expect(ids).toContain('acme/mixed');
  expect(ids).not.toContain('acme/proven');
  // It never serves a model from a TEE, whatever other upstreams the model has.
  expect(data.filter(({ is_tee }) => is_tee)).toEqual([]);
  expect((await get('/models/acme/proven')).status).toBe(404);
  expect((await get('/models/acme/mixed')).body).toMatchObject({ id: 'acme/mixed', is_tee: false });
  const { models } = (await world.admin.call('getAiGateway')).body as AiGateway;
  const shown = new Map(models.map((model) => [model.id, model.is_served_here]));
  expect(['acme/proven', 'acme/mixed', 'acme/large', 'teehouse/echo'].map((id) => shown.get(id))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

it('keeps the API key from a server that has not passed this server’s checks', async () => {
  const { ai } = world.server.services;
  const { check } = ai;
  const keys: (string | null)[] = [];
  ai.check = async ({ api_key }) => {
    keys.push(api_key);
    return null;
  };
  try {
    const body = { ...PROVEN, name: 'sealed', url: 'https://sealed.example.test/v1', api_key: 'sk-sealed' };
    const { body: added } = await world.admin.call('createAdminAiUpstream', { body });
    const { id } = added as AdminAiUpstream;
    const unchecked = {
      health: 'unchecked',
      last_error: 'Not checked from here: only gateways in a TEE may use this upstream.',
    };
    expect(added).toMatchObject(unchecked);
    expect((await world.admin.call('checkAdminAiUpstream', { path: { id } })).body).toMatchObject(unchecked);
    const set = async (evidence_required: boolean) =>
      (await world.admin.call('updateAdminAiUpstream', { path: { id }, body: { evidence_required } })).body;
    expect(keys).toEqual([]);
    expect(await set(false)).toMatchObject({ health: 'ok', last_error: null });
    expect(keys).toEqual(['sk-sealed']);
    // Earlier check results say nothing about what gateways in a TEE will find.
    expect(await set(true)).toMatchObject(unchecked);
    expect(keys).toEqual(['sk-sealed']);
  } finally {
    ai.check = check;
  }
});

// Last, because it changes the upstream.
it('is no longer required once an administrator disables it', async () => {
  expect((await refusedAs('acme/proven')).error.type).toBe('upstream_verification_failed');
  expect((await change({ evidence_required: false })).status).toBe(200);
  // It is tried, and has no address.
  expect((await refusedAs('acme/proven')).error.type).toBe('server_error');
});
