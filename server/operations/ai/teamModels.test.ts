import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AiRequestPage } from '../../../generated/api/types.gen';
import { withTransaction } from '../../db/core/client';
import { moveToBin, takeFromBin } from '../../db/cvms/recycleBin';
import { auditOf, codeOf, FORBIDDEN, INVALID, NOT_FOUND } from '../teams/testing/members';
import { startTeamModelTest, type Answer, type TeamModelTest } from './testing/teamModels';

let world: TeamModelTest;
beforeAll(async () => {
  world = await startTeamModelTest();
});
afterAll(() => world?.stop());
beforeEach(() => world.clear());

describe('a team’s model', () => {
  it('answers the team’s keys, at no cost', async () => {
    const model = await world.published();
    expect(model).toMatchObject({
      model: world.id,
      base_url: world.engine.url(world.app_id),
      app_id: world.app_id,
      app_name: 'models',
      endpoints: ['chat.completions'],
      input_modalities: ['text'],
      state: 'offered',
      health: 'ok',
    });
    expect(await world.own()).toEqual([model]);
    expect(await world.own(world.viewer)).toEqual([model]);
    expect(await world.offeredTo(world.owner)).toMatchObject([
      { id: world.id, price_per_million: { input: '0.00', cached_input: '0.00', output: '0.00' } },
    ]);
    const secret = await world.keyOf(world.owner);
    expect(await world.listed(secret)).toContain(world.id);
    expect((await world.ask(secret)).status).toBe(200);
    const { data } = (await world.owner.call('listAiRequests')).body as AiRequestPage;
    expect(data).toMatchObject([{ model: world.id, input_tokens: 1000, output_tokens: 200, cost: '0.00' }]);
    const audit = [
      ...(await auditOf(world.server, world.owner.slug!, 'ai_model.create')),
      ...(await auditOf(world.server, world.owner.slug!, 'ai_upstream.create')),
    ];
    expect(audit).toMatchObject([
      { target_id: model.id, after: { model: world.id } },
      { after: { url: world.engine.url(world.app_id) } },
    ]);
    expect(JSON.stringify(audit)).not.toMatch(/right|v1\./);
  });

  it('doesn’t exist for other teams, even after its own team has used it', async () => {
    const { id } = await world.published();
    expect((await world.ask(await world.keyOf(world.owner))).status).toBe(200);
    world.engine.requests = [];
    const secret = await world.keyOf(world.other);
    const unknown = `${world.owner.slug}/unknown`;
    const asUnknown = async (path: (model: string) => Promise<Answer>) => {
      const [found, missing] = [await path(world.id), await path(unknown)];
      expect(found.status).toBe(404);
      expect(JSON.stringify(found).replaceAll(world.id, unknown)).toEqual(JSON.stringify(missing));
    };
    await asUnknown((model) => world.ask(secret, model));
    await asUnknown((model) => world.send(secret, `models/${model}`));
    expect(await world.listed(secret)).not.toContain(world.id);
    expect(await world.offeredTo(world.other)).toEqual([]);
    expect(await world.own(world.other)).toEqual([]);
    expect(codeOf(await world.other.call('createAiKey', { body: { name: 'Bot', models: [world.id] } }))).toBe(
      INVALID,
    );
    const path = { ai_model_id: id };
    expect(codeOf(await world.other.call('updateTeamAiModel', { path, body: { name: 'Mine' } }))).toBe(
      NOT_FOUND,
    );
    expect(codeOf(await world.other.call('withdrawTeamAiModel', { path }))).toBe(NOT_FOUND);
    expect((await world.publish({}, { client: world.other })).status).toBe(404);
    expect(world.engine.requests).toEqual([]);
    expect(await world.own()).toHaveLength(1);
  });

  it('can be one of the models that a key is limited to', async () => {
    await world.published();
    expect((await world.ask(await world.keyOf(world.owner, [world.id]))).status).toBe(200);
    const echo = await world.keyOf(world.owner, ['teehouse/echo']);
    expect((await world.ask(echo)).status).toBe(404);
    expect(await world.listed(echo)).toEqual(['teehouse/echo']);
  });

  it('is changed and withdrawn by members who may create keys', async () => {
    const { id, etag } = await world.published();
    const path = { ai_model_id: id };
    for (const reply of [
      await world.publish({ short_name: 'second' }, { client: world.viewer }),
      await world.viewer.call('updateTeamAiModel', { path, body: { name: 'Mine' } }),
      await world.viewer.call('withdrawTeamAiModel', { path }),
    ])
      expect(codeOf(reply)).toBe(FORBIDDEN);
    expect((await world.publish({}, { client: world.server.anonymous })).status).toBe(401);

    const member = await world.asMember('member');
    const change = {
      name: ' Large ',
      description: 'For support.',
      context_length: 100,
      endpoints: ['chat.completions' as const, 'completions' as const],
      input_modalities: ['text' as const, 'image' as const],
    };
    const changed = await member.with({ 'if-match': etag }).call('updateTeamAiModel', { path, body: change });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { ...change, name: 'Large', model: world.id },
    ]);
    expect(await world.offeredTo(world.owner)).toMatchObject([{ ...change, name: 'Large' }]);
    const stale = await world.owner
      .with({ 'if-match': etag })
      .call('updateTeamAiModel', { path, body: { name: 'X' } });
    expect(codeOf(stale)).toBe('412 ERR-00-020');
    expect(await auditOf(world.server, world.owner.slug!, 'ai_model.update')).toMatchObject([
      {
        target_id: id,
        before: { name: 'Qwen3', input_modalities: ['text'] },
        after: { name: 'Large', input_modalities: ['text', 'image'] },
      },
    ]);

    const secret = await world.keyOf(world.owner);
    expect((await world.ask(secret)).status).toBe(200);
    expect((await member.call('withdrawTeamAiModel', { path })).status).toBe(204);
    expect((await world.ask(secret)).status).toBe(404);
    expect(await world.own()).toEqual([]);
    // The stored API key goes with it.
    expect((await world.asAdmin()).upstreams).toEqual([]);
    expect(codeOf(await member.call('withdrawTeamAiModel', { path }))).toBe(NOT_FOUND);
    expect(codeOf(await world.owner.call('updateTeamAiModel', { path, body: { name: 'X' } }))).toBe(
      NOT_FOUND,
    );
  });

  it('is offered while its app has a CVM', async () => {
    await world.published();
    const secret = await world.keyOf(world.owner);
    expect((await world.ask(secret)).status).toBe(200);
    await withTransaction(world.db, (trx) => moveToBin(trx, world.cvm));
    expect(await world.own()).toMatchObject([{ state: 'no_cvm' }]);
    expect((await world.ask(secret)).status).toBe(404);
    expect(await world.listed(secret)).not.toContain(world.id);
    expect(await world.offeredTo(world.owner)).toEqual([]);
    // Nor does a check send the key there.
    world.engine.requests = [];
    const id = (await world.asAdmin()).upstreams[0]!.id;
    const checked = await world.admin.call('checkAdminAiUpstream', { path: { id } });
    expect(checked.body).toMatchObject({ health: 'failing', last_error: 'The app has no CVM.' });
    expect(world.engine.requests).toEqual([]);
    await withTransaction(world.db, (trx) => takeFromBin(trx, world.cvm, world.cvm.name));
    await world.db.updateTable('cvms').set({ status: 'running' }).where('id', '=', world.cvm.id).execute();
    expect(await world.own()).toMatchObject([{ state: 'offered' }]);
    expect((await world.ask(secret)).status).toBe(200);
  });

  it('is added once, however often the request is repeated', async () => {
    const client = world.owner.with({ 'idempotency-key': 'team-publish-1' });
    const [first, again] = [await world.publish({}, { client }), await world.publish({}, { client })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await world.own()).toHaveLength(1);
  });
});
