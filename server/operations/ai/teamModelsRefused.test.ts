import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publicId } from '../../domain/core/publicId';
import { identityOf } from '../../testing/cvmFixtures';
import { codeOf, CONFLICT, IN_USE, INVALID } from '../teams/testing/members';
import { BODY, startTeamModelTest, type TeamModelTest } from './testing/teamModels';

let world: TeamModelTest;
beforeAll(async () => {
  world = await startTeamModelTest();
});
afterAll(() => world?.stop());
beforeEach(() => world.clear());

describe('publishing a team’s model is refused', () => {
  const refused = async (change: object, cvm_id?: string) => {
    const before = await world.asAdmin();
    const reply = await world.publish(change, cvm_id === undefined ? {} : { cvm_id });
    expect(await world.asAdmin()).toEqual(before);
    return `${codeOf(reply)} ${JSON.stringify(reply.body)}`;
  };

  it('with a wrong key, and for a model the server doesn’t have', async () => {
    expect(await refused({ api_key: 'wrong' })).toMatch(/^422 ERR-00-005 .*"field":"api_key"/);
    expect(await refused({ served_name: 'other' })).toMatch(/^502 ERR-00-045 .*no chat model “other”/);
  });

  it('with invalid values, without contacting the server', async () => {
    for (const change of [
      { api_key: 'two words' },
      { served_name: 'big\u202e-llams' },
      { short_name: 'a/b' },
      { short_name: '' },
      { port: 9000 },
      { context_length: 0 },
      // The address is the app's, and use is free.
      { url: 'http://127.0.0.1:9/v1' },
      { input_price: '1' },
    ])
      expect(await refused(change), JSON.stringify(change)).toMatch(/^422 /);
    const { cvm: stopped } = await world.addCvm('stopped', 'stopped');
    expect(await refused({}, stopped.vm_uuid)).toMatch(/^409 ERR-00-026 /);
    expect(world.engine.requests).toEqual([]);
  });

  it('for an already published server, and a taken ID', async () => {
    await world.published();
    world.engine.requests = [];
    expect(await refused({ short_name: 'second' })).toMatch(new RegExp(`^${IN_USE} .*${world.id}`));
    expect(world.engine.requests).toEqual([]);
    const second = await world.addCvm('second');
    expect(await refused({}, second.cvm.vm_uuid)).toMatch(new RegExp(`^${CONFLICT} .*"field":"short_name"`));
  });

  it('beyond 50 models', async () => {
    const { team_id } = await identityOf(world.db, world.owner.email!);
    const prices = { input_price_micros: 0, cached_input_price_micros: 0, output_price_micros: 0 };
    await world.db
      .insertInto('ai_models')
      .values(
        Array.from({ length: 50 }, (_, n) => ({
          model: `${world.owner.slug}/m${n}`,
          public_id: publicId('aim'),
          team_id,
          name: `M${n}`,
          description: '',
          context_length: 10,
          endpoints: ['chat.completions' as const],
          ...prices,
          upstreams: JSON.stringify([{ upstream_id: 1, model: 'm' }]),
          state: 'team' as const,
        })),
      )
      .execute();
    expect(await refused({})).toMatch(/^409 ERR-10-002 .*50 AI models/);
  });
});

describe('administrators', () => {
  it('see whose model it is, and can disable it but not change it', async () => {
    await world.published();
    const { team_id } = await identityOf(world.db, world.owner.email!);
    const { models, upstreams } = await world.asAdmin();
    expect(models).toMatchObject([{ model: world.id, team_id, state: 'team', input_price: '0.00' }]);
    expect(upstreams).toMatchObject([{ url: world.engine.url(world.app_id), team_id, model_count: 1 }]);
    const path = { id: models[0]!.id };
    for (const body of [
      { name: 'Ours' },
      { input_price: '1' },
      { model: 'acme/qwen3' },
      { state: 'active' as const },
      { endpoints: ['embeddings' as const] },
    ])
      expect(codeOf(await world.admin.call('updateAdminAiModel', { path, body })), JSON.stringify(body)).toBe(
        INVALID,
      );
    const moved = await world.admin.call('updateAdminAiUpstream', {
      path: { id: upstreams[0]!.id },
      body: { url: 'http://127.0.0.1:9/v1', api_key: 'x' },
    });
    expect(codeOf(moved)).toBe(INVALID);

    const secret = await world.keyOf(world.owner);
    expect((await world.ask(secret)).status).toBe(200);
    // A form may send unchanged lists.
    const same = { state: 'disabled' as const, endpoints: models[0]!.endpoints };
    expect((await world.admin.call('updateAdminAiModel', { path, body: same })).status).toBe(200);
    expect((await world.ask(secret)).status).toBe(404);
    expect(await world.own()).toMatchObject([{ state: 'disabled' }]);
    // Withdrawn and published again, it would be offered again.
    const [own] = await world.own();
    const withdrawn = await world.owner.call('withdrawTeamAiModel', { path: { ai_model_id: own!.id } });
    expect(codeOf(withdrawn)).toBe('409 ERR-00-021');
    const enabled = await world.admin.call('updateAdminAiModel', { path, body: { state: 'team' } });
    expect(enabled.status).toBe(200);
    expect((await world.ask(secret)).status).toBe(200);
  });

  it('delete it with the stored API key, and the team may publish it again', async () => {
    await world.published();
    const path = { id: (await world.asAdmin()).models[0]!.id };
    expect((await world.admin.call('deleteAdminAiModel', { path })).status).toBe(204);
    expect(await world.asAdmin()).toEqual({ models: [], upstreams: [] });
    await world.published();
    expect(await world.own()).toMatchObject([{ state: 'offered' }]);
  });

  it('can’t offer a team’s server to every team', async () => {
    await world.published();
    const upstream_id = (await world.asAdmin()).upstreams[0]!.id;
    const made = await world.admin.call('createAdminAiModel', {
      body: {
        model: 'acme/qwen3',
        name: 'Qwen3',
        context_length: 10,
        input_price: '0',
        output_price: '0',
        upstreams: [{ upstream_id, model: 'qwen3' }],
      },
    });
    expect([codeOf(made), made.body]).toMatchObject([INVALID, { details: [{ field: 'upstreams' }] }]);
  });

  it('can put the same server behind the API for every team, alongside the team’s own model', async () => {
    await world.published();
    const team = { 'x-admin-workspace': world.owner.slug!, 'x-workspace': world.owner.slug! };
    const { short_name: _, ...body } = BODY;
    const made = await world.admin.with(team).call('publishCvmModelServer', {
      path: { cvm_id: world.cvm.vm_uuid },
      body: { ...body, model: 'acme/qwen3', input_price: '0.2', output_price: '1' },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body).toMatchObject({ model: 'acme/qwen3', team_id: null, state: 'active' });
    const secret = await world.keyOf(world.other);
    expect([(await world.ask(secret, 'acme/qwen3')).status, (await world.ask(secret)).status]).toEqual([
      200, 404,
    ]);
    expect((await world.ask(await world.keyOf(world.owner))).status).toBe(200);
  });
});

it('a server version without team models offers none, and none has a price', async () => {
  await world.published();
  // Earlier versions offer these to every team.
  expect(await world.db.selectFrom('ai_models').select('id').where('state', '=', 'active').execute()).toEqual(
    [],
  );
  for (const change of [{ state: 'active' as const }, { output_price_micros: 1 }, { team_id: null }])
    await expect(world.db.updateTable('ai_models').set(change).execute()).rejects.toThrow(
      /violates check constraint/,
    );
});

it('a deleted team leaves no model and no stored API key', async () => {
  const slug = 'gone-models';
  expect((await world.owner.call('createWorkspace', { body: { name: slug, slug } })).status).toBe(201);
  const { id: team_id } = await world.db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  await world.published();
  // Assigns it to that team, whose CVMs are gone.
  await world.db.updateTable('ai_models').set({ team_id }).execute();
  await world.db.updateTable('ai_upstreams').set({ team_id }).execute();
  const deleted = await world.owner.call('deleteWorkspace', { path: { slug }, body: { slug } });
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(204);
  expect(await world.asAdmin()).toEqual({ models: [], upstreams: [] });
});
