import * as z from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AiRequest } from '../../../generated/api/types.gen';
import { AiError } from './aiError';
import { pathOf, type Endpoint } from './modelRequest';
import type { TokenPrices } from './models';
import { reportedUsage } from './upstreamUsage';
import { formatPicos, NO_USAGE, type CountedUsage } from './usage';
import { withinBounds } from './worstCase';

/**
 * Requests and reports of gateways outside this server: the control-plane contract of Private AI Gateway
 * (github.com/Dstack-TEE/private-ai-gateway, docs/control-plane-contract.md). They contain no prompts or
 * answers.
 */

/** Asks whether a key may use a model. Unused members are ignored. */
export const consult = z.looseObject({
  /** SHA-256 of the client's key, in lower-case hexadecimal. */
  apiKeyHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'It must be a SHA-256 in lower-case hexadecimal.')
    .nullish(),
  model: z.string().max(200).nullish(),
  /** The client's routing preferences, unchecked by the gateway. */
  provider: z.unknown().optional(),
  request: z.looseObject({ estimatedPromptTokens: z.number().nullish() }).nullish().catch(null),
  /** Whether only models in a TEE may answer. */
  tee: z.boolean().nullish(),
});

const ms = z.number().min(0).transform(Math.round);

/** The outcome of an attempt, or of a request as a whole. */
export const report = z.looseObject({
  requestId: z.string().min(1).max(200),
  endpoint: z.string().max(200),
  status: z.number().int().min(100).max(599),
  durationMs: ms,
  ttftMs: ms.nullish(),
  isStreaming: z.boolean().nullish(),
  /** Null: the request as a whole, without an answer from any upstream. */
  selectedRouteId: z.string().max(500).nullish(),
  usage: z.unknown().optional(),
  /** Returned by the consult. Null for requests that this server didn't allow. */
  virtualKeyId: z.number().int().nullish(),
});

export type ConsultReport = z.infer<typeof report>;

/** Routing preferences that the gateway itself honors. */
const OWN_WISHES = /^aci_/;

/**
 * Refuses routing preferences that this server can't honor. Ignoring them would answer a request in a way its
 * client ruled out. @throws {AiError} 400
 */
export function checkWishes(provider: unknown): void {
  if (provider === undefined || provider === null) return;
  const names = typeof provider === 'object' && !Array.isArray(provider) ? Object.keys(provider) : null;
  const unmet = names?.find((name) => !OWN_WISHES.test(name));
  if (names && unmet === undefined) return;
  throw new AiError(
    400,
    'invalid_request_error',
    null,
    unmet === undefined
      ? '“provider” must be an object.'
      : `This service doesn't route by “provider.${cutWhole(unmet, 100)}”. Leave it out.`,
    { param: 'provider' },
  );
}

/** Prices per token in USD, exact. */
export const pricingOf = (prices: TokenPrices) => ({
  inputCostPerToken: formatPicos(BigInt(prices.input)),
  outputCostPerToken: formatPicos(BigInt(prices.output)),
  cacheReadCostPerToken: formatPicos(BigInt(prices.cached_input)),
});

/**
 * Whether a gateway can forward a model's requests to the upstream at this URL: it appends `/v1/…` to a base
 * URL, and supports other paths only for chats.
 */
export const isForwardable = (url: string, endpoints: readonly Endpoint[]): boolean =>
  url.endsWith('/v1') || endpoints.every((one) => one === 'chat.completions');

export const forwardable = <T extends { url: string }>({
  routes,
  endpoints,
}: {
  routes: readonly T[];
  endpoints: readonly Endpoint[];
}): T[] => routes.filter(({ url }) => isForwardable(url, endpoints));

/** The client disconnected. Used by proxies, and never sent. */
const CLIENT_LEFT = 499;

/**
 * Assumed tokens per second of a model that doesn't report how many it wrote: what large ones reach on one GPU.
 */
const TOKENS_PER_SECOND = 100;

export type Ending =
  /** Final: no further report follows. */
  | { outcome: AiRequest['outcome']; usage: CountedUsage }
  /**
   * An attempt failed before writing anything. The gateway may try another upstream and report it; if this was
   * the last one, no further report follows.
   */
  | 'failed_attempt'
  /** The same, but the request is at fault, so no other upstream is tried. */
  | 'refused_attempt';

/** Statuses by which model servers reject a request because of its content. */
const REFUSALS = new Set([400, 413, 422]);

/**
 * Returns how a report ends its request. Generated output is charged however it ended; without reported usage,
 * for example if the client left before it, it is estimated.
 * @param estimated_input the gateway's estimate of the prompt; null if it has none
 */
export function endingOf(
  { selectedRouteId, status, usage, ttftMs, durationMs }: ConsultReport,
  estimated_input: number | null,
): Ending {
  const nothing: CountedUsage = { ...NO_USAGE, is_estimated: false };
  if ((selectedRouteId ?? '') === '') return { outcome: 'failed', usage: nothing };
  const isAborted = status === CLIENT_LEFT;
  const isFailed = status >= 400 && !isAborted;
  const outcome = isAborted ? 'aborted' : isFailed ? 'failed' : 'completed';
  const counted = reportedUsage(usage);
  if (counted) return { outcome, usage: { ...counted, is_estimated: false } };
  const first = ttftMs ?? null;
  if (isFailed && first === null) return REFUSALS.has(status) ? 'refused_attempt' : 'failed_attempt';
  // Before the first byte the upstream may not have read the prompt.
  if (isAborted && first === null) return { outcome, usage: nothing };
  const seconds = Math.max(0, durationMs - (first ?? 0)) / 1000;
  return {
    outcome,
    usage: {
      ...NO_USAGE,
      input_tokens: estimated_input ?? 0,
      output_tokens: Math.round(Math.min(seconds * TOKENS_PER_SECOND, Number.MAX_SAFE_INTEGER)),
      is_estimated: true,
    },
  };
}

const ENDPOINTS = new Map(
  (['chat.completions', 'completions', 'embeddings', 'responses'] satisfies Endpoint[]).map((one) => [
    pathOf(one),
    one,
  ]),
);

export const endpointOf = (path: string): AiRequest['endpoint'] => ENDPOINTS.get(path) ?? 'other';

/** Maximum answers a request may ask for, each up to the length of the context. */
const MAX_ANSWERS = 128;

/**
 * Returns the charged part of a usage: no more than the model can have written, and than exact numbers can
 * hold.
 */
export function chargedUsage(usage: CountedUsage, context: number, prices: TokenPrices): CountedUsage {
  // An estimate covers one answer.
  const answers = usage.is_estimated ? 1 : MAX_ANSWERS;
  const highest = Math.max(1, prices.input, prices.cached_input, prices.output);
  const most = Math.min(context * answers, Math.floor(Number.MAX_SAFE_INTEGER / highest));
  const within = withinBounds(usage, { input: most, output: most, context: most });
  return { ...within, is_estimated: usage.is_estimated };
}
