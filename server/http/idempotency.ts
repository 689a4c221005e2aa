import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Selectable, Transaction } from 'kysely';
import type { OperationSpec, OperationId } from '../../generated/api/operations.gen';
import type { Database } from '../db/core/schema';
import { NEWEST_VERSION } from '../../console/lib/apiVersion';
import type { IdempotencyKeysTable } from '../db/core/idempotencyKeysTable';
import { Problem } from '../domain/core/problem';
import type { Call, Context } from '../operations/types';
import { VERSIONS, type ApiVersion } from './compat/versions';
import { toJson } from '../db/core/json';

type Row = Selectable<IdempotencyKeysTable>;

/**
 * Idempotency-Key, following the IETF draft of that name: the first request with a key does the work and stores its
 * reply in the same transaction; a repeat within 24 h returns the stored reply; the same key with a different request
 * is rejected. Keys are scoped to the caller.
 */
interface Idempotency {
  scope: string;
  key: string;
  operation_id: string;
  request_hash: Buffer;
}

const pending = new WeakMap<Context, Idempotency>();

export const idempotencyOf = (ctx: Context) => pending.get(ctx);

type Reply = {
  status: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
  /** API version of a stored body's shape; absent in a reply that wasn't stored. */
  stored_version?: ApiVersion;
};

export async function replayIdempotent(
  spec: OperationSpec,
  req: Request,
  call: Call<OperationId>,
): Promise<Reply | undefined> {
  const key = req.get('Idempotency-Key');
  if (spec.idempotent === 'required' && key === undefined) throw new Problem('IDEMPOTENCY_KEY_REQUIRED');
  if (!spec.idempotent || key === undefined) return undefined;
  if (key.length === 0 || key.length > 255) {
    throw new Problem('VALIDATION_FAILED', { message: 'Idempotency-Key must have 1 to 255 characters.' });
  }
  const { ctx } = call;
  const entry: Idempotency = {
    scope: `${ctx.caller.user?.id ?? ctx.ip}/${ctx.caller.team?.id ?? ''}`,
    key,
    operation_id: `${spec.method} ${req.path}`,
    request_hash: createHash('sha256')
      .update(JSON.stringify(call.body ?? null))
      .digest(),
  };
  const found = await ctx.db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('scope', '=', entry.scope)
    .where('key', '=', key)
    .executeTakeFirst();
  if (found) return stored(found, entry);
  pending.set(ctx, entry);
  return undefined;
}

function stored(
  found: Pick<Row, 'operation_id' | 'request_hash' | 'status' | 'response' | 'api_version'>,
  entry: Idempotency,
): Reply {
  if (found.operation_id !== entry.operation_id || !found.request_hash.equals(entry.request_hash)) {
    throw new Problem('IDEMPOTENCY_KEY_REUSED');
  }
  return {
    status: found.status ?? 200,
    body: found.response,
    // The usual name, and the one this server used first.
    headers: { 'Idempotent-Replayed': 'true', 'Idempotency-Replayed': 'true' },
    // A newer release may have written it before a rollback to this one.
    stored_version: VERSIONS.find((known) => known === found.api_version) ?? NEWEST_VERSION,
  };
}

/**
 * Part of the write's own transaction, so key and change become durable together. Two concurrent requests with one
 * key meet at the primary key; the later one waits, then gets 409.
 */
export async function storeIdempotent(
  trx: Transaction<Database>,
  entry: Idempotency,
  result: unknown,
): Promise<void> {
  const reply = result as Partial<Reply> | undefined;
  if (typeof reply?.status !== 'number')
    throw new Error(`${entry.operation_id}: an idempotent write must return its reply`);
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({
      ...entry,
      status: reply.status,
      response: toJson(reply.body ?? null),
      api_version: NEWEST_VERSION,
    })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!inserted) throw new Problem('IDEMPOTENT_REQUEST_IN_PROGRESS', { retryAfter: 1 });
}
