import { insertAiKey } from '../db/ai/aiKeys';
import { settleAiRequests, type EndedRequest } from '../db/ai/aiRequests';
import type { Tx } from '../db/core/client';
import { toJson } from '../db/core/json';
import { costPicos } from '../domain/ai/usage';
import { newAiSecret } from '../operations/ai/aiKey';
import type { FilledTeam } from './fillTeams';
import { createRandom, demoId, demoUuid } from './random';
import { AI_KEYS, AI_MODEL, type DemoAiKey } from './scenario';

/** AI gateway requests of the last weeks. Their model is disabled now, because no server could answer. */

const HOUR_MS = 3_600_000;

export async function fillAi(trx: Tx, teams: readonly FilledTeam[], at: Date): Promise<void> {
  const { prices, model, name, description, context_length, upstream } = AI_MODEL;
  const { id: upstream_id } = await trx
    .insertInto('ai_upstreams')
    .values({
      ...upstream,
      sealed_api_key: null,
      state: 'disabled',
      max_concurrency: 16,
      timeout_seconds: 120,
      checked_at: null,
      last_error: null,
      team_id: null,
      app_id: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('ai_models')
    .values({
      model,
      name,
      description,
      context_length,
      endpoints: ['chat.completions'],
      input_modalities: ['text'],
      output_modalities: [],
      input_price_micros: prices.input,
      cached_input_price_micros: prices.cached_input,
      output_price_micros: prices.output,
      upstreams: toJson([{ upstream_id, model }]),
      state: 'disabled',
      team_id: null,
      public_id: null,
    })
    .execute();
  for (const given of AI_KEYS) {
    const filled = teams.find(({ team }) => team.slug === given.team);
    if (!filled) throw new Error(`there is no team ${given.team} for the AI key ${given.name}`);
    await fillKey(trx, filled, given, { upstream_id, at });
  }
}

async function fillKey(
  trx: Tx,
  { team, deployers }: FilledTeam,
  given: DemoAiKey,
  { upstream_id, at }: { upstream_id: number; at: Date },
): Promise<void> {
  const { name, budget_dollars, days } = given;
  const public_id = demoId('aik', `${team.slug}/${name}`);
  await insertAiKey(trx, {
    public_id,
    team_id: team.id,
    name,
    purpose: 'program',
    // The secret itself is discarded.
    ...newAiSecret().stored,
    models: null,
    requests_per_minute: 60,
    tokens_per_minute: null,
    budget_micros: budget_dollars === null ? null : budget_dollars * 1_000_000,
    budget_period: 'month',
    created_by: deployers[0] ?? null,
    expires_at: null,
  });
  const requests = requestsOf(given, at).map((one) => ({ ...one, team_id: team.id, upstream_id }));
  const { id: key_id } = await trx
    .updateTable('ai_keys')
    .set({
      created_at: new Date(at.getTime() - (days * 24 + 3) * HOUR_MS),
      last_used_at: requests.at(-1)?.created_at ?? null,
    })
    .where('public_id', '=', public_id)
    .returning('id')
    .executeTakeFirstOrThrow();
  await settleAiRequests(
    trx,
    requests.map((one) => ({ ...one, key_id })),
  );
}

type DemoRequest = Omit<EndedRequest, 'key_id' | 'team_id' | 'upstream_id' | 'created_at'> & {
  created_at: Date;
};

/** In the order in which they were made, all before the last full hour. */
function requestsOf({ team, name, days, per_day }: DemoAiKey, at: Date): DemoRequest[] {
  const random = createRandom(`ai ${team}/${name}`);
  return Array.from({ length: days * per_day }, (_, i): DemoRequest => {
    const hours = days * 24 - (i / per_day) * 24 + random.next();
    const failed = random.next() < 0.02;
    const usage = {
      input_tokens: random.whole(300, 2_400),
      cached_tokens: random.whole(0, 250),
      output_tokens: failed ? 0 : random.whole(60, 700),
      reasoning_tokens: 0,
    };
    const first_token_ms = failed ? null : random.whole(140, 900);
    const public_id = demoId('chatcmpl', `${team}/${name}/${i}`);
    return {
      hold_id: demoUuid(public_id),
      public_id,
      created_at: new Date(at.getTime() - Math.round((hours + 1) * HOUR_MS)),
      gateway: null,
      model: AI_MODEL.model,
      endpoint: 'chat.completions',
      status: failed ? 502 : 200,
      outcome: failed ? 'failed' : 'completed',
      is_streamed: i % 3 !== 0,
      ...usage,
      first_token_ms,
      duration_ms: (first_token_ms ?? 1_200) + usage.output_tokens * 18,
      cost_picos: failed ? 0 : costPicos(usage, AI_MODEL.prices),
      receipt_id: null,
    };
  });
}
