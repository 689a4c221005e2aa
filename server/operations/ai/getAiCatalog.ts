import { aiModelServers, measureAiModels, MEASURED_DAYS } from '../../db/ai/aiModelFacts';
import { countUptime } from '../../db/ai/aiModelUptime';
import { offeredModels } from '../../db/ai/aiModels';
import type { Db } from '../../db/core/client';
import {
  aiModelFactsOut,
  MIN_MEASURED,
  type AiModelMeasurement,
  type AiModelServers,
} from '../../domain/ai/modelFactsResponse';
import type { AiModelUptimeCounts } from '../../domain/ai/modelUptime';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

/** Computing this reads many requests, so it runs at most this often for all teams. */
const KEPT_MS = 60_000;

/** By model and team. */
interface Facts {
  servers: Map<string, AiModelServers>;
  measured: Map<string, AiModelMeasurement>;
  /** Of the platform's models. A team's are counted when it asks, because all teams' together could be many. */
  uptime: Map<string, AiModelUptimeCounts>;
}
interface Kept {
  at: number;
  facts: Promise<Facts>;
}
const kept = new WeakMap<Db, Kept>();

export const getAiCatalog: Handler<'getAiCatalog'> = async ({ ctx }) => {
  const team_id = teamOf(ctx).id;
  const last = kept.get(ctx.db);
  const fresh = last && Date.now() - last.at < KEPT_MS ? last : read(ctx.db);
  const [models, { servers, measured, uptime }] = await Promise.all([
    offeredModels(ctx.db, team_id),
    fresh.facts,
  ]);
  const hasOwn = models.some((model) => model.team_id !== null);
  const ownUptime = hasOwn ? byModel(await countUptime(ctx.db, team_id)) : undefined;
  return {
    status: 200,
    body: {
      days: MEASURED_DAYS,
      min_requests: MIN_MEASURED,
      models: models.map((model) =>
        aiModelFactsOut(
          model,
          servers.get(keyOf(model.id, model.team_id)),
          measured.get(keyOf(model.id, model.team_id)),
          (model.team_id === null ? uptime : ownUptime)?.get(model.id),
        ),
      ),
    },
  };
};

const keyOf = (model: string, team_id: number | null): string => `${team_id ?? ''} ${model}`;
const byKey = <T extends { model: string; team_id: number | null }>(facts: T[]): Map<string, T> =>
  new Map(facts.map((one) => [keyOf(one.model, one.team_id), one]));
const byModel = <T extends { model: string }>(counts: T[]): Map<string, T> =>
  new Map(counts.map((one) => [one.model, one]));

function read(db: Db): Kept {
  const facts = Promise.all([aiModelServers(db), measureAiModels(db), countUptime(db, null)]).then(
    ([servers, measured, uptime]) => ({
      servers: byKey(servers),
      measured: byKey(measured),
      uptime: byModel(uptime),
    }),
  );
  const next: Kept = { at: Date.now(), facts };
  kept.set(db, next);
  // A failure is returned only to the callers that waited for it.
  facts.catch(() => kept.get(db) === next && kept.delete(db));
  return next;
}
