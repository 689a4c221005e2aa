import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAiGateway, AiGateway } from '../../../generated/api/types.gen';
import { housekeeping } from '../../jobs/core/housekeeping';
import { eventually } from '../../testing/server';
import { IMAGE, reportOf, startControlTest, type ControlTest } from './testing/control';

let world: ControlTest;
beforeAll(async () => {
  world = await startControlTest();
});
afterAll(() => world.stop());

describe('AI gateways in the admin area', () => {
  it('show how to run one, and whether it is connected', async () => {
    await world.post({ virtualKeyId: (await (await world.team()).pre()).virtualKeyId });
    const { body } = await world.admin.call('getAdminAiGateway', { path: { id: world.gateway_id } });
    const shown = body as AdminAiGateway;
    expect(shown).toMatchObject({ name: 'tee-1', url: 'https://ai.example.com', state: 'active' });
    expect(shown.last_seen_at).not.toBeNull();
    expect(shown.request_count).toBeGreaterThan(0);
    expect(shown.compose).toContain(`image: ${IMAGE}`);
    expect(shown.compose).toContain(`"control_url": "${world.tokens.control_url}"`);
    expect(shown.compose).not.toMatch(/thk_aig_/);
    const { others } = (await world.admin.call('getAiGateway')).body as AiGateway;
    expect(others).toContainEqual({
      name: 'tee-1',
      base_url: 'https://ai.example.com/v1',
      report_url: 'https://ai.example.com/v1/aci/attestation',
    });
  });

  it('issue new tokens that replace the old ones and appear nowhere else', async () => {
    const { id } = await world.addGateway('tee-3');
    const first = await world.issue(id);
    const { apiKeyHash, requests } = await world.team();
    const asked = { apiKeyHash, model: 'acme/large' };
    const { virtualKeyId } = (await world.send('/consult/pre', asked, first.control_token)).body;
    const second = await world.issue(id);
    expect((await world.send('/models', undefined, first.control_token)).status).toBe(401);
    expect((await world.send('/models', undefined, second.control_token)).status).toBe(200);
    // A request in progress is still reported with its original token.
    expect((await world.send('/consult/pre', asked, first.control_token)).status).toBe(401);
    const late = await world.send('/consult/post', reportOf({ virtualKeyId }), first.control_token);
    expect(late.body).toEqual({ recorded: true });
    expect(await requests()).toHaveLength(1);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(a)::text as row from audit_log a where target_kind = 'ai_gateway'
      union all select to_jsonb(g)::text from ai_gateways g`.execute(world.db);
    const stored = rows.map(({ row }) => row).join('\n');
    for (const secret of [second.control_token, second.config_token]) expect(stored).not.toContain(secret);
    expect(stored).toContain('ai_gateway.issue_tokens');
  });

  it('stop a disabled one while counting its requests in progress, and remove only a disabled one', async () => {
    const { id } = await world.addGateway('tee-4');
    const { control_token, config_token } = await world.issue(id);
    const { apiKeyHash, requests } = await world.team();
    const asked = { apiKeyHash, model: 'acme/large' };
    const { virtualKeyId } = (await world.send('/consult/pre', asked, control_token)).body;
    const isShown = async () => {
      const { others } = (await world.admin.call('getAiGateway')).body as AiGateway;
      return others.some(({ name }) => name === 'tee-4');
    };
    await eventually('teams see it', isShown);
    expect((await world.admin.call('deleteAdminAiGateway', { path: { id } })).status).toBe(409);
    await world.admin.call('updateAdminAiGateway', { path: { id }, body: { state: 'disabled' } });
    expect((await world.send('/consult/pre', asked, control_token)).body).toMatchObject({
      allow: false,
      status: 503,
    });
    expect((await world.send('/upstreams', undefined, config_token)).status).toBe(403);
    for (const path of ['/models', '/models?tee=true', '/embeddings/models'])
      expect((await world.send(path, undefined, control_token)).status).toBe(403);
    // No client is sent there, although it has just called.
    expect(await isShown()).toBe(false);
    const early = await world.admin.call('deleteAdminAiGateway', { path: { id } });
    expect(JSON.stringify(early.body)).toContain('reported all of its requests yet');
    expect((await world.send('/consult/post', reportOf({ virtualKeyId }), control_token)).body).toEqual({
      recorded: true,
    });
    expect((await world.admin.call('deleteAdminAiGateway', { path: { id } })).status).toBe(204);
    expect(await requests()).toMatchObject([{ gateway: 'tee-4', cost: '0.00492' }]);
    expect((await world.send('/models', undefined, control_token)).status).toBe(401);
  });

  it('refuse images without a digest, taken names, and URLs with extra parts', async () => {
    const create = async (more: object) => {
      const body = { name: 'tee-9', url: 'https://ai.example.com', image: IMAGE, ...more };
      const reply = await world.admin.call('createAdminAiGateway', { body });
      return `${reply.status} ${JSON.stringify(reply.body)}`;
    };
    expect(await create({ image: 'gateway:latest' })).toMatch(/^422 .*image/);
    expect(await create({ name: 'tee-1' })).toMatch(/^409 .*An AI gateway with this name already exists/);
    expect(await create({ url: 'https://a:b@ai.example.com' })).toMatch(/^422 .*without a user name/);
    expect(await create({ url: 'https://ai.example.com/?a=1' })).toMatch(/^422 /);
    const member = await world.server.register();
    expect((await member.call('listAdminAiGateways')).status).toBe(403);
    expect((await member.call('issueAdminAiGatewayTokens', { path: { id: world.gateway_id } })).status).toBe(
      403,
    );
  });

  it('get no model that they would forward to a wrong URL', async () => {
    const [whole, chatsOnly] = world.upstream_ids;
    const add = async (model: string, upstream_ids: readonly (number | undefined)[]) => {
      const body = {
        model,
        name: model,
        context_length: 1000,
        endpoints: ['chat.completions', 'embeddings'],
        input_price: '1',
        output_price: '1',
        upstreams: upstream_ids.map((upstream_id) => ({ upstream_id, model })),
      };
      expect((await world.admin.call('createAdminAiModel', { body })).status).toBe(201);
    };
    await add('acme/both', [chatsOnly, whole]);
    await add('acme/chats', [chatsOnly]);
    const { body } = await world.send('/upstreams', undefined, world.tokens.config_token);
    const models = (body.upstreams as { name: string; models: object }[]).map((one) => [
      one.name,
      Object.keys(one.models),
    ]);
    expect(models).toEqual([
      ['gpu-1', ['acme/both', 'acme/large']],
      ['gpu-2', ['acme/large']],
    ]);
    const { pre } = await world.team();
    expect(await pre({ model: 'acme/both' })).toMatchObject({
      candidates: [{ routeId: 'gpu-1:acme/both', format: 'openai' }],
    });
    expect(await pre({ model: 'acme/chats' })).toMatchObject({ allow: false, status: 404 });
    const listed = (await world.send('/embeddings/models')).body.data as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(['acme/both']);
  });

  it('expire admissions after a day', async () => {
    const { pre } = await world.team();
    await pre();
    await sql`update ai_consults set created_at = now() - interval '25 hours'`.execute(world.db);
    await housekeeping(world.db);
    expect(await world.db.selectFrom('ai_consults').select('id').execute()).toEqual([]);
  });

  it('serve their gateways regardless of other clients at the same address', async () => {
    const wrong = async () => (await world.send('/models', undefined, 'thk_aig_wrong')).status;
    const statuses = [];
    for (let i = 0; i < 70; i++) statuses.push(await wrong());
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await world.send('/models')).status).toBe(200);
  });
});
