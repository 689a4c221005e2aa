import { sql } from 'kysely';
import { adminExport } from '../../../db/core/adminExport';
import { adminList, adminOne } from '../../../db/core/adminList';
import type { Tx } from '../../../db/core/client';
import type { Database } from '../../../db/core/schema';
import { TooSlow } from '../../../db/core/statementTimeout';
import { Problem } from '../../../domain/core/problem';
import type { Context, Write } from '../../types';
import { changesOf, checkIfMatch, etagOf, keysOf, nextVersion } from './change';
import { columnsOf, contentRange, parseListQuery, type RawListQuery } from './listQuery';
import { csvFile } from './csvFile';
import { addListed, oneOf, sourceOf, type AdminResource } from './listed';

export { listedResource, oneOf, sourceOf, type AdminResource } from './listed';

/**
 * Creates the handler of `GET /admin/{name}`: one page in the ra-data-simple-rest dialect, or everything as
 * a file.
 */
export function listOf<Row, Out extends object>(resource: AdminResource<Row, Out>) {
  addListed(resource);
  return async ({
    path = {},
    query,
    ctx,
  }: {
    path?: { id?: number | string };
    query: RawListQuery;
    ctx: Context;
  }) => {
    const { name, narrow, out, finish } = resource;
    const source = sourceOf(resource, ctx, path);
    const asked = parseListQuery(query, source.fields, source);
    const listQuery = narrow === undefined ? asked : { ...asked, filter: narrow(asked) };
    const finished = async (rows: readonly Row[]) =>
      (await finish?.(rows.map(out), ctx, path)) ?? rows.map(out);
    if (query.format === 'csv') {
      return csvFile(ctx, {
        name,
        columns: columnsOf(query.columns, source.fields, name),
        query,
        async *batches() {
          for await (const rows of adminExport(ctx.db, source, listQuery)) yield await finished(rows);
        },
      });
    }
    const { rows, total, estimated } = await adminList(ctx.db, source, listQuery).catch(refuseSlow);
    return {
      status: 200 as const,
      headers: {
        'Content-Range': contentRange(name, listQuery.first, rows.length, total),
        ...(estimated ? { 'X-Total-Estimated': 'true' } : {}),
      },
      body: [...(await finished(rows))],
    };
  };
}

/** Turns a query timeout into advice the user can act on. */
export function refuseSlow(error: unknown): never {
  if (!(error instanceof TooSlow)) throw error;
  throw new Problem('VALIDATION_FAILED', {
    message: 'This query took too long.',
    details: [{ field: 'filter', message: 'Narrow the filters, for example by time.' }],
    suggestions: ['Filter by time or team, or sort by another field.'],
    cause: error,
  });
}

/** Creates the handler of `GET /admin/{name}/{id}`, which returns the version that a change must name. */
export const readOf =
  <Row extends { id: number | string }, Out>(resource: AdminResource<Row, Out>) =>
  async ({ path, ctx }: { path: { id: number | string }; ctx: Context }) => {
    const row = await adminOne(ctx.db, oneOf(resource, ctx), path.id);
    if (!row) throw missing(resource, path.id);
    return {
      status: 200 as const,
      headers: { ETag: etagOf(resource.name, row.id, resource.version(row)) },
      body: resource.out(row),
    };
  };

/** @returns the error for an id without a row */
export const missing = ({ singular }: Pick<AdminResource<never, never>, 'singular'>, id: number | string) =>
  new Problem('NOT_FOUND', { message: `There is no ${singular} ${id}.` });

interface Versioned {
  id: number | string;
  updated_at: Date;
}

/** A change to some keys of one row. */
export interface Change<Locked extends Versioned, K extends keyof Locked, Waits = never> {
  /** The audit log's name for it: "instance_type". */
  kind: string;
  /** The keys that were sent; undefined ones were not. */
  patch: { [P in K]?: Locked[P] | undefined };
  lock: (trx: Tx, id: Locked['id']) => Promise<Locked | undefined>;
  /** Checks rules beyond the schema, with the row locked. */
  check?: (trx: Tx, changes: Partial<Pick<Locked, K>>, before: Locked) => Promise<void>;
  /** After the checks: returns the reply for a change pending approval; null if it may be made now. */
  approval?: (write: Write, changes: Partial<Pick<Locked, K>>, before: Locked) => Promise<Waits | null>;
  write: (trx: Tx, changes: Partial<Pick<Locked, K>> & { updated_at: Date }) => Promise<unknown>;
  /** The object that audited values are read from; the row if absent. */
  shown?: (row: Pick<Locked, K>) => object;
  /** The team whose audit log records it; the platform's if absent. */
  team_id?: number;
}

/**
 * Implements `PATCH /admin/{name}/{id}`: compares the version before and under the lock, skips unchanged
 * values and audits only the changed keys.
 */
export async function changeRow<
  Row extends Versioned & Pick<Locked, K>,
  Out,
  Locked extends Versioned,
  K extends keyof Locked,
  Waits = never,
>(
  ctx: Context,
  resource: AdminResource<Row, Out>,
  id: Locked['id'],
  { kind, patch, lock, check, approval, write, shown = (row) => row, team_id }: Change<Locked, K, Waits>,
) {
  const { name } = resource;
  const select = oneOf(resource, ctx);
  const reply = (row: Row) => ({
    status: 200 as const,
    headers: { ETag: etagOf(name, row.id, resource.version(row)) },
    body: resource.out(row),
  });
  const found = await adminOne(ctx.db, select, id);
  if (!found) throw missing(resource, id);
  checkIfMatch(ctx, etagOf(name, found.id, resource.version(found)));
  if (Object.keys(changesOf<Pick<Locked, K>, K>(found, patch)).length === 0) return reply(found);
  return ctx.write(async ({ trx, audit }) => {
    const before = await lock(trx, id);
    if (!before) throw missing(resource, id);
    checkIfMatch(ctx, etagOf(name, before.id, before.updated_at));
    const changes = changesOf<Locked, K>(before, patch);
    await check?.(trx, changes, before);
    const waits = await approval?.({ trx, audit }, changes, before);
    if (waits) return waits;
    await write(trx, { ...changes, updated_at: nextVersion(before) });
    const row = await adminOne(trx, select, id);
    if (!row) throw missing(resource, id);
    const keys = Object.keys(changes);
    await audit({
      action: `${kind}.update`,
      target_kind: kind,
      target_id: String(id),
      ...(team_id === undefined ? {} : { team_id }),
      before: keysOf(shown(before), keys),
      after: keysOf(shown(row), keys),
    });
    return reply(row);
  });
}

/** How one row is removed. */
export interface Removal<Locked extends { id: number | string }> {
  /** The audit log's name for it: "instance_type". */
  kind: string;
  /** Set where it isn't `{kind}.delete`. */
  action?: string;
  table: keyof Database;
  lock: (trx: Tx, id: Locked['id']) => Promise<Locked | undefined>;
  /** Refuses rows that can't be removed, with the row locked, and cleans up what depends on them. */
  check?: (trx: Tx, row: Locked) => void | Promise<void>;
  /** The keys whose last values the audit entry keeps. */
  kept: readonly string[];
  /** The object those are read from; the locked row if absent. */
  shown?: (row: Locked) => object;
  /** The team whose audit log records it; the platform's if absent. */
  team_id?: null;
}

/** Implements `DELETE /admin/{name}/{id}`: locks, checks, removes and audits the row in one transaction. */
export const removeRow = <Locked extends { id: number | string }>(
  ctx: Context,
  resource: Pick<AdminResource<never, never>, 'singular'>,
  id: Locked['id'],
  { kind, action = `${kind}.delete`, table, lock, check, kept, shown, team_id }: Removal<Locked>,
) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await lock(trx, id);
    if (!row) throw missing(resource, id);
    await check?.(trx, row);
    await sql`delete from ${sql.table(table)} where id = ${row.id}`.execute(trx);
    await audit({
      action,
      target_kind: kind,
      target_id: String(row.id),
      ...(team_id === undefined ? {} : { team_id }),
      before: keysOf(shown?.(row) ?? row, kept),
    });
    return { status: 204 } as const;
  });
