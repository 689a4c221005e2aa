import { aiModelServers, measureAiModels, MEASURED_DAYS } from '../../db/ai/aiModelFacts';
import { offeredModels } from '../../db/ai/aiModels';
import type { Db } from '../../db/core/client';
import {
  aiModelFactsOut,
  MIN_MEASURED,
  type AiModelMeasurement,
  type AiModelServers,
} from '../../domain/ai/modelFactsResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

/** Computing this reads many requests, so it runs at most this often for all teams. */
const KEPT_MS = 60_000;

/** By model and team. */
interface Facts {
  servers: Map<string, AiModelServers>;
  measured: Map<string, AiModelMeasurement>;
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
      models: models.map((model) =>
        aiModelFactsOut(
          model,
          servers.get(keyOf(model.id, model.team_id)),
          measured.get(keyOf(model.id, model.team_id)),
        ),
      ),
    },
  };
};

const keyOf = (model: string, team_id: number | null): string => `${team_id ?? ''} ${model}`;
const byKey = <T extends { model: string; team_id: number | null }>(facts: T[]): Map<string, T> =>
  new Map(facts.map((one) => [keyOf(one.model, one.team_id), one]));

function read(db: Db): Kept {
  const facts = Promise.all([aiModelServers(db), measureAiModels(db)]).then(([servers, measured]) => ({
    servers: byKey(servers),
    measured: byKey(measured),
  }));
  const next: Kept = { at: Date.now(), facts };
  kept.set(db, next);
  // A failure is returned only to the callers that waited for it.
  facts.catch(() => kept.get(db) === next && kept.delete(db));
  return next;
}
