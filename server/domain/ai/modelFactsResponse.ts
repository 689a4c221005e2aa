import type { AiModelFacts } from '../../../generated/api/types.gen';
import type { ServedModel } from './models';

/** With fewer requests, a figure would say more about one of them than about the model. */
export const MIN_MEASURED = 10;

interface Servers {
  gpus: AiModelFacts['gpus'];
  is_responding: boolean | null;
  checked_at: Date | null;
  attested_since: Date | null;
}

interface Measurement {
  requests: number;
  answered: number;
  streams: number;
  first_token_ms: number | null;
  timed: number;
  tokens_per_second: number | null;
}

/**
 * Returns what is known and measured of a model. Numbers of requests aren't returned: other teams' are among
 * them.
 */
export const aiModelFactsOut = (
  { id, is_built_in }: Pick<ServedModel, 'id' | 'is_built_in'>,
  servers: Servers | undefined,
  measured: Measurement | undefined,
): AiModelFacts => ({
  id,
  // The built-in model is a function of this server.
  gpus: is_built_in ? [] : (servers?.gpus ?? null),
  attested_since: servers?.attested_since?.toISOString() ?? null,
  is_responding: servers?.is_responding ?? null,
  checked_at: servers?.checked_at?.toISOString() ?? null,
  answered_share: share(measured),
  first_token_ms: enough(measured?.streams, measured?.first_token_ms, Math.round),
  tokens_per_second: enough(measured?.timed, measured?.tokens_per_second, oneDecimal),
});

const oneDecimal = (n: number) => Math.round(n * 10) / 10;

/** Rounded down, so that only a model without failures has 1. */
function share(measured: Measurement | undefined): number | null {
  if (!measured || measured.requests < MIN_MEASURED) return null;
  return Math.floor((measured.answered / measured.requests) * 10_000) / 10_000;
}

const enough = (
  samples: number | undefined,
  value: number | null | undefined,
  rounded: (n: number) => number,
): number | null =>
  samples === undefined || samples < MIN_MEASURED || value === null || value === undefined
    ? null
    : rounded(value);
