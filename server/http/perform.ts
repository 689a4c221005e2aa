import {
  operations,
  type Coercion,
  type OperationId,
  type OperationSpec,
} from '../../generated/api/operations.gen';
import { ownValue } from '../../console/lib/ownValue';
import type { Call, Context, Handlers, StreamReply } from '../operations/types';
import { authorize } from './auth';
import { parseNullAsAbsent } from './body/nullIsAbsent';
import { requestTexts } from './body/validationText';
import type { ApiVersion } from './compat/versions';
import { validationProblem, ValidationProblem } from './errors';
import type { RateLimits } from './rateLimits';
import { unstorableText } from './body/unstorableText';

/** Parts of a request: path and query as text or values. */
interface Parts {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Alternative to `body`: reads and checks it once path and query are valid. */
  readBody?: () => unknown;
}

/** A reply of any operation. */
export interface AnyReply extends Pick<Partial<StreamReply>, 'stream' | 'content_type' | 'reader' | 'until'> {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** API version of a stored body's shape; absent in a reply that wasn't stored. */
  stored_version?: ApiVersion;
}

interface Performing {
  handlers: Handlers;
  /** Absent if the request was already counted. */
  limits?: Pick<RateLimits, 'consume'>;
  /** Returns the reply that a repeated request gets. */
  replay?: (call: Call<OperationId>) => Promise<AnyReply | undefined>;
}

/**
 * Performs an operation: the only path to a handler, whether over HTTP, as an MCP tool or in a bulk job. Counts
 * it, checks the permission, parses the parts with the document's schemas, and calls the handler. @throws
 * {Problem}
 */
export async function perform(
  id: OperationId,
  { path = {}, query = {}, body = {}, readBody }: Parts,
  ctx: Context,
  { handlers, limits, replay }: Performing,
): Promise<AnyReply> {
  const spec: OperationSpec = operations[id];
  await limits?.consume(spec.rate, ctx);
  authorize(spec, ctx);
  const call = {
    path: parsePart('path', spec.path_, coerceAll(path, spec.pathTypes)),
    query: parsePart('query', spec.query, coerceAll(query, spec.queryTypes)),
    body: readBody ? readBody() : parsePart('body', spec.body, body),
    ctx,
  } as unknown as Call<OperationId>;
  const handler = handlers[id] as unknown as (call: Call<OperationId>) => Promise<AnyReply>;
  return (await replay?.(call)) ?? handler(call);
}

type Where = 'body' | 'query' | 'path';

/** @throws {ValidationProblem} */
export function parsePart(
  where: Where,
  schema: OperationSpec['body'],
  value: unknown,
  nullIsAbsent = false,
): unknown {
  if (!schema) return {};
  const checked = nullIsAbsent ? parseNullAsAbsent(schema, value) : schema.safeParse(value, requestTexts);
  if (!checked.success) throw validationProblem(where, checked.error);
  return storable(where, checked.data);
}

/** @throws {ValidationProblem} if it contains text PostgreSQL can't store */
export function storable<T>(where: Where, value: T): T {
  const path = unstorableText(value);
  if (path)
    throw new ValidationProblem([
      {
        loc: [where, ...path],
        msg: `${path.length === 0 ? '' : `${path.at(-1)}: `}It contains a NUL character or an unpaired surrogate.`,
        type: 'unstorable_text',
      },
    ]);
  return value;
}

/**
 * Paths and queries carry text, but schemas expect numbers, booleans and lists. Invalid text stays unchanged and
 * fails there.
 */
export function coerceAll(
  raw: Record<string, unknown>,
  types: Readonly<Record<string, Coercion>>,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const type = ownValue(types, name);
    if (type === undefined) continue;
    out[name] = type === 'array' ? [value].flat() : coerce(value, type);
  }
  return out;
}

function coerce(value: unknown, type: Coercion): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && value === '') return true; // Clients set a flag with `?follow`.
  if (type === 'boolean' && /^(true|1)$/i.test(value)) return true;
  if (type === 'boolean' && /^(false|0)$/i.test(value)) return false;
  return value;
}
