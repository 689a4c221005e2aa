import type { AiRoute, RoutedModel } from '../../db/ai/aiModels';
import { AiError } from '../../domain/ai/aiError';
import { withoutEvidence } from '../../domain/ai/evidence';
import { forwardedBody } from '../../domain/ai/modelRequest';
import { inOrder } from '../../domain/ai/routeOrder';
import { UpstreamFailure, type AiCall, type AiReply } from '../../drivers/ai';
import { echoUpstream } from '../../drivers/ai/echo';
import type { Services } from '../../operations/types';

/** How long a failed upstream is tried last. */
const AVOID_MS = 10_000;

/** A request sent to a model server. */
interface Forwarded {
  /** Chunks. */
  body: readonly Buffer[];
  /** The model's name at the upstream. */
  model: string;
  /** Null for the built-in model. */
  upstream_id: number | null;
}

export interface Serving {
  /**
   * Tries the model's upstreams until one answers, the preferred one first.
   * @throws {AiError} if none does
   */
  complete(signal: AbortSignal): Promise<AiReply>;
  /** Returns the last request sent; null before. */
  forwarded(): Forwarded | null;
}

interface Request extends Omit<AiCall, 'signal' | 'adds_usage' | 'body'> {
  /** The client's bytes. */
  body: Buffer;
}

export type AiRouter = (model: RoutedModel, request: Request) => Serving;

/** Creates the upstream selection. It counts requests in progress and remembers failures, both per process. */
export function createAiRouter({ ai, seal, log }: Pick<Services, 'ai' | 'seal' | 'log'>): AiRouter {
  const inProgress = new Map<number, number>();
  const avoided = new Map<number, number>();

  /** @returns null if the upstream is at its request limit */
  const enter = ({ id, max_concurrency }: AiRoute): (() => void) | null => {
    const count = inProgress.get(id) ?? 0;
    if (max_concurrency !== null && count >= max_concurrency) return null;
    inProgress.set(id, count + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const rest = (inProgress.get(id) ?? 1) - 1;
      if (rest === 0) inProgress.delete(id);
      else inProgress.set(id, rest);
    };
  };

  const isAvoided = ({ id }: AiRoute) => (avoided.get(id) ?? 0) > performance.now();

  return (model, request) => {
    let forwarded: Forwarded | null = null;

    const attempt = async (route: AiRoute, signal: AbortSignal): Promise<AiReply> => {
      const { body, adds_usage } = forwardedBody(request.body, request.request, route.model);
      const api_key = route.sealed_api_key && seal.open('ai-upstream', route.sealed_api_key);
      forwarded = { body, model: route.model, upstream_id: route.id };
      return ai
        .at({ url: route.url, api_key, timeout_ms: route.timeout_seconds * 1000 })
        .complete({ ...request, body, adds_usage, signal });
    };

    return {
      forwarded: () => forwarded,
      async complete(signal) {
        if (model.is_built_in) {
          const body = [request.body];
          forwarded = { body, model: model.id, upstream_id: null };
          return echoUpstream.complete({ ...request, body, adds_usage: false, signal });
        }
        let failure: UpstreamFailure | null = null;
        for (const route of inOrder(withoutEvidence(model.routes), isAvoided)) {
          const leave = enter(route);
          if (!leave) continue;
          // Counted until the response closes, complete or not.
          signal.addEventListener('abort', leave, { once: true });
          try {
            const reply = await attempt(route, signal);
            avoided.delete(route.id);
            return reply;
          } catch (error) {
            leave();
            signal.throwIfAborted();
            if (!(error instanceof UpstreamFailure)) throw error;
            avoided.set(route.id, performance.now() + AVOID_MS);
            log.warn({ err: error, upstream: route.name, model: model.id }, 'an AI upstream failed');
            failure = error;
          }
        }
        throw failure?.answer ?? busy();
      },
    };
  };
}

const busy = () =>
  new AiError(503, 'server_error', 'overloaded', 'The model is busy. Try again in a moment.', {
    retryAfter: 1,
  });
