import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import { insertTeamModel } from '../../db/ai/teamModels';
import { publicId } from '../../domain/core/publicId';
import { insertApp, insertHost } from '../../testing/cvmFixtures';
import { startControlTest, type ControlTest } from './testing/control';

let world: ControlTest;
beforeAll(async () => {
  world = await startControlTest();
});
afterAll(() => world?.stop());

/** Publishes a team model behind the API as if its CVM were running. */
async function addTeamModel(team_id: number, model: string): Promise<void> {
  const { db } = world;
  const { app } = await insertApp(db, { team_id, host: await insertHost(db), name: 'own' });
  const { id } = await db
    .insertInto('ai_upstreams')
    .values({ name: 'own-team', url: world.model.url, timeout_seconds: 300, team_id, app_id: app.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await withTransaction(db, (trx) =>
    insertTeamModel(trx, {
      public_id: publicId('aim'),
      team_id,
      model,
      name: 'Own',
      description: '',
      context_length: 100,
      endpoints: ['chat.completions'],
      input_modalities: [],
      output_modalities: [],
      upstream_id: id,
      served_name: 'own',
    }),
  );
}

it('admits a team’s own model at gateways for its keys only, and lists it to nobody', async () => {
  const team = await world.team();
  const other = await world.team();
  const limited = await world.team(10_000_000, { models: ['acme/large'] });
  const model = 'own-team/qwen3';
  await addTeamModel(team.team_id, model);
  // The team's own key first, so that the model is cached before the other request.
  expect(await team.pre({ model })).toMatchObject({
    allow: true,
    candidates: [{ routeId: `own-team:${model}` }],
    pricing: { inputCostPerToken: '0.00', outputCostPerToken: '0.00' },
  });
  for (const { pre } of [other, limited]) {
    const unknown = await pre({ model: 'own-team/unknown' });
    expect(unknown).toMatchObject({ allow: false, status: 404 });
    expect(JSON.stringify(await pre({ model })).replace(model, 'own-team/unknown')).toEqual(
      JSON.stringify(unknown),
    );
  }
  const ids = ((await world.send('/models')).body.data as { id: string }[]).map(({ id }) => id);
  expect(ids).toEqual(['acme/large']);
  // A gateway forwards admitted requests, so it has the server's address.
  const { upstreams } = (await world.send('/upstreams', undefined, world.tokens.config_token)).body as {
    upstreams: { name: string; models: object }[];
  };
  expect(upstreams.find(({ name }) => name === 'own-team')?.models).toEqual({ [model]: 'own' });
});
