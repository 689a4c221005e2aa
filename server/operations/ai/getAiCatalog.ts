import {
  aiModelServers,
  measureAiModels,
  MEASURED_DAYS,
  type AiModelMeasurement,
  type AiModelServers,
} from '../../db/ai/aiModelFacts';
import { offeredModels } from '../../db/ai/aiModels';
import type { Db } from '../../db/core/client';
import { aiModelFactsOut, MIN_MEASURED } from '../../domain/ai/modelFactsResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

/** Computing this reads many requests, so it runs at most this often for all teams. */
const KEPT_MS = 60_000;

interface Facts {
  servers: AiModelServers[];
  measured: AiModelMeasurement[];
}
interface Kept {
  at: number;
  facts: Promise<Facts>;
}
const kept = new WeakMap<Db, Kept>();

export const getAiCatalog: Handler<'getAiCatalog'> = async ({ ctx }) => {
  const last = kept.get(ctx.db);
  const fresh = last && Date.now() - last.at < KEPT_MS ? last : read(ctx.db);
  const [models, { servers, measured }] = await Promise.all([
    offeredModels(ctx.db, teamOf(ctx).id),
    fresh.facts,
  ]);
  return {
    status: 200,
    body: {
      days: MEASURED_DAYS,
      min_requests: MIN_MEASURED,
      models: models.map((model) => {
        const isOf = (one: { model: string; team_id: number | null }) =>
          one.model === model.id && one.team_id === model.team_id;
        return aiModelFactsOut(model, servers.find(isOf), measured.find(isOf));
      }),
    },
  };
};

function read(db: Db): Kept {
  const facts = Promise.all([aiModelServers(db), measureAiModels(db)]).then(([servers, measured]) => ({
    servers,
    measured,
  }));
  const next: Kept = { at: Date.now(), facts };
  kept.set(db, next);
  // A failure is returned only to the callers that waited for it.
  facts.catch(() => kept.delete(db));
  return next;
}
