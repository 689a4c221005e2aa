import type { Request, Response } from 'express';
import {
  operations,
  type OperationId,
  type OperationSpec,
  type OperationTypes,
} from '../../../generated/api/operations.gen';
import type { Caller } from '../../domain/core/caller';
import { handlers } from '../../operations/handlers.gen';
import type { Services } from '../../operations/types';
import { createContext } from '../context';
import { problemBody, toProblem } from '../errors';
import { perform } from '../perform';
import type { RateLimits } from '../rateLimits';
import { streamText } from './streamText';

interface Parts {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type Replies<K extends OperationId> = OperationTypes[K]['replies'];
/** Body of a successful reply; a stream is collected as text. */
type Success<K extends OperationId> = 200 extends keyof Replies<K> ? Replies<K>[200] : undefined;

export type CallOperation = <K extends OperationId>(id: K, parts?: Parts) => Promise<Success<K>>;

/**
 * Returns a function that calls operations on behalf of a request's authenticated sender, with the same
 * permission, rate and content checks and audit rows as over HTTP. @throws {Problem}
 */
export function operationCaller(
  { services, limits }: { services: Services; limits: RateLimits },
  { req, res, caller }: { req: Request; res: Response; caller: Caller },
): CallOperation {
  return async <K extends OperationId>(id: K, parts: Parts = {}) => {
    const spec: OperationSpec = operations[id];
    // The caller belongs to the team of their token, whatever the path says.
    if (spec.path.startsWith('/workspaces/{slug}')) throw new Error(`the path of ${id} holds a team`);
    const left = new AbortController();
    const made = await createContext(services, id, req, res, caller);
    const ctx = { ...made, signal: AbortSignal.any([made.signal, left.signal]) };
    const reply = await perform(id, parts, ctx, { handlers, limits });
    if (reply.stream) return (await streamText(reply.stream).finally(() => left.abort(LEFT))) as Success<K>;
    // Strips undeclared fields, as in a reply over HTTP.
    return spec.responses[reply.status]?.schema?.parse(reply.body) as Success<K>;
  };
}

/** Closes a stream's source if it hasn't ended. */
const LEFT = new DOMException('The stream is no longer read', 'AbortError');

/** Formats a problem so that the model can correct its call or inform its user. */
export function textOfProblem(error: unknown, request_id: string): string {
  const { message, details, suggestions, code } = problemBody(toProblem(error), request_id);
  const more = details.flatMap((detail) => (detail.message === message ? [] : (detail.message ?? [])));
  return [message, ...more, ...suggestions, `(${code}, request ${request_id})`].join('\n');
}
