import type * as z from 'zod';
import { forgetAiConsult, insertAiConsult } from '../../db/ai/aiConsults';
import type { CallingGateway } from '../../db/ai/aiGateways';
import { noteAiKeyUse, type LiveAiKey } from '../../db/ai/aiKeys';
import type { RoutedModel } from '../../db/ai/aiModels';
import { AiError } from '../../domain/ai/aiError';
import { checkWishes, forwardable, pricingOf, type consult } from '../../domain/ai/control';
import { gatewayName } from '../../domain/ai/evidence';
import { inOrder } from '../../domain/ai/routeOrder';
import { publicId } from '../../domain/core/publicId';
import type { Services } from '../../operations/types';
import { createHolds, type Priced } from '../ai/hold';
import { createKeyFinder } from '../ai/key';
import { admitInMinute } from '../ai/limits';
import { createModelFinder } from '../ai/models';

type Consult = z.infer<typeof consult>;

interface Allowed {
  allow: true;
  pricing: ReturnType<typeof pricingOf>;
  candidates: { routeId: string; format: 'openai' }[];
  /** Sent back with the report to identify the request. */
  virtualKeyId: number;
}

interface Denied {
  allow: false;
  status: number;
  message: string;
  rateLimit?: { limit: number; resetAt: number };
}

interface Admitted extends Priced {
  gateway: CallingGateway;
  estimated_input_tokens: number | null;
}

const MAX_TOKENS = 8_000_000;
/** Equal to a team's limit of answers in progress. */
const MAX_WAITING = 1000;

/**
 * Decides whether a gateway may answer a request, by the rules of the gateway in this server. The request's
 * maximum cost is held until it is reported.
 */
export function createAdmission(services: Services) {
  const { db, log } = services;
  const findKey = createKeyFinder(services);
  const findModel = createModelFinder(services);
  const hold = createHolds(services, (to, { id, key, model, gateway, estimated_input_tokens }: Admitted) =>
    insertAiConsult(to, {
      gateway_id: gateway.id,
      team_id: key.team_id,
      key_id: key.id,
      hold_id: id,
      model: model.id,
      context_length: model.context_length,
      estimated_input_tokens,
      input_price_micros: model.prices.input,
      cached_input_price_micros: model.prices.cached_input,
      output_price_micros: model.prices.output,
    }),
  );
  const waiting = new Map<number, number>();

  /** Bounds a team's requests waiting for its funds, which are decided in order. */
  const inLine = async <T>({ team_id }: LiveAiKey, work: () => Promise<T>): Promise<T> => {
    const before = waiting.get(team_id) ?? 0;
    if (before >= MAX_WAITING)
      throw new AiError(429, 'rate_limit_error', null, 'This team sends too many requests at a time.', {
        retryAfter: 1,
      });
    waiting.set(team_id, before + 1);
    try {
      return await work();
    } finally {
      const left = (waiting.get(team_id) ?? 1) - 1;
      if (left === 0) waiting.delete(team_id);
      else waiting.set(team_id, left);
    }
  };

  /** Assumes the whole context: only the gateway knows the request's limits. */
  const allow = (gateway: CallingGateway, key: LiveAiKey, model: RoutedModel, asked: Consult) => {
    const whole = model.context_length;
    const bounds = { input: whole, output: whole, context: whole };
    const estimate = asked.request?.estimatedPromptTokens ?? null;
    const estimated_input_tokens =
      estimate === null ? null : Math.round(Math.min(Math.max(estimate, 0), MAX_TOKENS));
    const id = publicId('req');
    return hold({ id, key, model, request: null, bounds, gateway, estimated_input_tokens });
  };

  const decide = async (gateway: CallingGateway, asked: Consult): Promise<Allowed> => {
    if (gateway.state === 'disabled')
      throw new AiError(
        503,
        'server_error',
        null,
        'This gateway is disabled. Use another address of the API.',
      );
    const hash = asked.apiKeyHash ?? null;
    if (hash === null) throw unauthorized('Send an AI key: Authorization: Bearer thk_ai_….');
    const key = await findKey({ hash: Buffer.from(hash, 'hex'), counts: true });
    if (!key) throw unauthorized('Invalid AI key. It may have expired or been revoked.');
    if (key.stale_use)
      noteAiKeyUse(db, key.id).catch((error: unknown) =>
        log.warn({ err: error }, "couldn't record a key's use"),
      );
    checkWishes(asked.provider);
    const id = asked.model ?? '';
    const model = await findModel(key, id);
    const routes = (model ? forwardable(model) : []).filter(
      ({ evidence_required }) => asked.tee !== true || evidence_required,
    );
    if (!model || routes.length === 0) throw unknownModel(id);
    admitInMinute(key);
    const virtualKeyId = await inLine(key, () => allow(gateway, key, model, asked));
    const candidates = inOrder(routes).map((route) => ({
      routeId: `${gatewayName(route)}:${model.id}`,
      format: 'openai' as const,
    }));
    return { allow: true, pricing: pricingOf(model.prices), candidates, virtualKeyId };
  };

  return async (gateway: CallingGateway, asked: Consult): Promise<Allowed | Denied> => {
    try {
      return await decide(gateway, asked);
    } catch (error) {
      if (error instanceof AiError) return denied(error);
      throw error;
    }
  };
}

/** Reverts a decision that its gateway didn't receive. */
export async function forget({ db }: Pick<Services, 'db'>, decision: Allowed | Denied): Promise<void> {
  if (decision.allow) await forgetAiConsult(db, decision.virtualKeyId);
}

/** The error that the gateway passes to its client. */
function denied({ status, message, limit, retryAfter }: AiError): Denied {
  if (limit === null || retryAfter === null) return { allow: false, status, message };
  const resetAt = Math.ceil(Date.now() / 1000) + retryAfter;
  return { allow: false, status, message, rateLimit: { limit, resetAt } };
}

const unauthorized = (text: string) => new AiError(401, 'authentication_error', 'invalid_api_key', text);

const unknownModel = (id: string) =>
  new AiError(
    404,
    'not_found_error',
    'model_not_found',
    `The model “${id}” doesn't exist here, or this key doesn't have access to it.`,
    { param: 'model' },
  );
