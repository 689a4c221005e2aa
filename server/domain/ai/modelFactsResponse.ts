import type { AiModelFacts } from '../../../generated/api/types.gen';
import type { ServedModel } from './models';
import { aiModelUptimeOut, shareOf, type AiModelUptimeCounts } from './modelUptime';

/** With fewer requests, a figure would say more about one of them than about the model. */
export const MIN_MEASURED = 10;

/** What is known about a model's servers. */
export interface AiModelServers {
  /** GPUs of its CVMs on this cloud; null if none of its servers is known to be one. */
  gpus: AiModelFacts['gpus'];
  /** Whether a server responded when this server last checked; null if it checks none. */
  is_responding: boolean | null;
  checked_at: Date | null;
  /**
   * When a gateway first passed on an answer after verifying the servers, since model and servers last changed;
   * null if none has, or if a server needs no evidence.
   */
  attested_since: Date | null;
}

/** What is measured about a model, over the requests of all teams that can use it. */
export interface AiModelMeasurement {
  /** Requests that its servers answered or failed to answer. */
  requests: number;
  answered: number;
  /** Streamed answers. */
  streams: number;
  /** Median milliseconds until their first byte; null without any. */
  first_token_ms: number | null;
  /** Streamed answers with enough tokens to measure their speed. */
  timed: number;
  /** Median; null without any. */
  tokens_per_second: number | null;
}

/**
 * Returns what is known and measured about a model. Request counts aren't returned, because they include other teams'
 * requests.
 */
export const aiModelFactsOut = (
  { id, is_built_in }: Pick<ServedModel, 'id' | 'is_built_in'>,
  servers: AiModelServers | undefined,
  measured: AiModelMeasurement | undefined,
  uptime: AiModelUptimeCounts | undefined,
): AiModelFacts => ({
  id,
  // The built-in model is a function of this server.
  gpus: is_built_in ? [] : (servers?.gpus ?? null),
  attested_since: servers?.attested_since?.toISOString() ?? null,
  is_responding: servers?.is_responding ?? null,
  checked_at: servers?.checked_at?.toISOString() ?? null,
  uptime: aiModelUptimeOut(uptime),
  answered_share: share(measured),
  first_token_ms: enough(measured?.streams, measured?.first_token_ms, Math.round),
  tokens_per_second: enough(measured?.timed, measured?.tokens_per_second, oneDecimal),
});

const oneDecimal = (n: number) => Math.round(n * 10) / 10;

function share(measured: AiModelMeasurement | undefined): number | null {
  if (!measured || measured.requests < MIN_MEASURED) return null;
  return shareOf(measured.answered, measured.requests);
}

const enough = (
  samples: number | undefined,
  value: number | null | undefined,
  rounded: (n: number) => number,
): number | null =>
  samples === undefined || samples < MIN_MEASURED || value === null || value === undefined
    ? null
    : rounded(value);
