import type { Request, Response } from 'express';
import {
  operations,
  type OperationId,
  type OperationSpec,
  type OperationTypes,
} from '../../../generated/api/operations.gen';
import { handlers } from '../../operations/handlers.gen';
import type { Call, Services } from '../../operations/types';
import { authorise } from '../auth';
import { createContext } from '../context';
import { problemBody, toProblem, validationProblem } from '../errors';
import type { RateLimits } from '../rateLimits';

/** Last characters of a stream that are returned, and how much is read to get there. */
const MAX_TEXT = 60_000;
const MAX_READ = 8_000_000;
const MAX_READ_MS = 10_000;

interface Parts {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

type Replies<K extends OperationId> = OperationTypes[K]['replies'];
/** The body of a success; a stream is collected as text. */
type Success<K extends OperationId> = 200 extends keyof Replies<K> ? Replies<K>[200] : undefined;

export type CallOperation = <K extends OperationId>(id: K, parts?: Parts) => Promise<Success<K>>;

/**
 * Returns a function that calls operations for the sender of a request: with the same checks of identity, permission, rate
 * and content as over HTTP, and the same audit rows. @throws {Problem}
 */
export function operationCaller(
  { services, limits }: { services: Services; limits: RateLimits },
  req: Request,
  res: Response,
): CallOperation {
  return async <K extends OperationId>(id: K, { path = {}, query = {}, body = {} }: Parts = {}) => {
    const spec: OperationSpec = operations[id];
    const ctx = await createContext(services, id, req, res);
    await limits.consume(spec.rate, ctx);
    authorise(spec, ctx);
    const call = {
      path: parse('path', spec.path_, path),
      query: parse('query', spec.query, query),
      body: parse('body', spec.body, body),
      ctx,
    } as unknown as Call<OperationId>;
    const handler = handlers[id] as unknown as (call: Call<OperationId>) => Promise<{
      status: number;
      body?: unknown;
      stream?: AsyncIterable<string | Uint8Array>;
    }>;
    const reply = await handler(call);
    if (reply.stream) return (await textOf(reply.stream)) as Success<K>;
    // Strips what must not leave the server, as in a reply over HTTP.
    return spec.responses[reply.status]?.schema?.parse(reply.body) as Success<K>;
  };
}

function parse(where: 'path' | 'query' | 'body', schema: OperationSpec['body'], value: unknown): unknown {
  if (!schema) return {};
  const checked = schema.safeParse(value);
  if (!checked.success) throw validationProblem(where, checked.error);
  return checked.data;
}

/** Returns the end of a text, and says if its start was left out. */
async function textOf(stream: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const until = Date.now() + MAX_READ_MS;
  let text = '';
  let read = 0;
  for await (const part of stream) {
    const more = typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    read += more.length;
    text = (text + more).slice(-MAX_TEXT);
    if (read > MAX_READ || Date.now() > until) break;
  }
  return read > text.length ? `(The first ${read - text.length} characters are left out.)\n${text}` : text;
}

/** What a problem says, for the model to correct its call or to tell its user. */
export function textOfProblem(error: unknown, request_id: string): string {
  const { message, details, suggestions, code } = problemBody(toProblem(error), request_id);
  const more = details.flatMap((detail) => (detail.message === message ? [] : (detail.message ?? [])));
  return [message, ...more, ...suggestions, `(${code}, request ${request_id})`].join('\n');
}
