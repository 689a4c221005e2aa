import { settleAiRequests, type EndedRequest } from '../../db/ai/aiRequests';
import type { Services } from '../../operations/types';
import { createBatches } from './batches';

const MAX_CONCURRENT = 100;
const PATIENCE_MS = 1_000;
const GATHER_MS = 4;

/**
 * Stores a finished request, batched with others of its team that end at the same time. Resolves once they are
 * stored.
 */
export type Settle = (ended: EndedRequest) => Promise<void>;

export function createSettlement({ db }: Pick<Services, 'db'>): Settle {
  return createBatches<EndedRequest, void>({
    run: async (ended) => {
      await settleAiRequests(db, ended);
      return ended.map(() => undefined);
    },
    most: MAX_CONCURRENT,
    groupOf: ({ team_id }) => team_id,
    gather_ms: GATHER_MS,
    patience_ms: PATIENCE_MS,
  });
}
