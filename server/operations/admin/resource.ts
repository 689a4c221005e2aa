import { sql } from 'kysely';
import { adminExport } from '../../db/adminExport';
import { adminList, adminOne, type AdminListSource } from '../../db/adminList';
import type { Tx } from '../../db/client';
import type { Database } from '../../db/schema';
import { TooSlow } from '../../db/inTime';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { changesOf, checkIfMatch, etagOf, keysOf, nextVersion } from './change';
import { columnsOf, contentRange, parseListQuery, type RawListQuery } from './listQuery';
import { csvFile } from './csvFile';

/** One resource of the admin area: where its rows are, and what of a row goes out. */
export interface AdminResource<Row, Out> {
  /** As in its address and in `Content-Range`: "instance-types". */
  name: string;
  /** For messages: "instance type". */
  singular: string;
  source: AdminListSource<Row>;
  /** Instead of `source`, where which rows there are depends on who asks or on the record they belong to. */
  sourceFor?: (ctx: Context, path: { id?: number | string }) => AdminListSource<Row>;
  /** Where one row has more to read than the rows of a list. */
  one?: Pick<AdminListSource<Row>, 'select'>;
  out: (row: Row) => Out;
  /** When the row last changed, for its `ETag`. */
  version: (row: Row) => Date;
}

/** Every resource that has a list, by name: what bulk jobs find their rows with. Filled as handlers are made. */
const listed = new Map<string, AdminResource<never, unknown>>();

export const listedResource = (name: string) => listed.get(name);

export const sourceOf = <Row, Out>(
  { source, sourceFor }: Pick<AdminResource<Row, Out>, 'source' | 'sourceFor'>,
  ctx: Context,
  path: { id?: number | string } = {},
): AdminListSource<Row> => sourceFor?.(ctx, path) ?? source;

/** The handler of `GET /admin/{name}`: one page in the ra-data-simple-rest dialect, or all of it as a file. */
export function listOf<Row, Out extends object>(resource: AdminResource<Row, Out>) {
  const known = listed.get(resource.name);
  if (known && known.source !== (resource.source as unknown))
    throw new Error(`two admin resources are called ${resource.name}`);
  listed.set(resource.name, resource as unknown as AdminResource<never, unknown>);
  return async ({
    path = {},
    query,
    ctx,
  }: {
    path?: { id?: number | string };
    query: RawListQuery;
    ctx: Context;
  }) => {
    const { name, out } = resource;
    const source = sourceOf(resource, ctx, path);
    const asked = parseListQuery(query, source.fields, source.large);
    if (query.format === 'csv')
      return csvFile(ctx, {
        name,
        columns: columnsOf(query.columns, source.fields),
        query,
        async *batches() {
          for await (const rows of adminExport(ctx.db, source, asked)) yield rows.map(out);
        },
      });
    const { rows, total, estimated } = await adminList(ctx.db, source, asked).catch(refuseSlow);
    return {
      status: 200 as const,
      headers: {
        'Content-Range': contentRange(name, asked.first, rows.length, total),
        ...(estimated ? { 'X-Total-Estimated': 'true' } : {}),
      },
      body: rows.map(out),
    };
  };
}

/** Turns the end of a query's time into what the person can do about it. */
export function refuseSlow(error: unknown): never {
  if (!(error instanceof TooSlow)) throw error;
  throw new Problem('VALIDATION_FAILED', {
    message: 'There are too many rows to find these among them in time.',
    details: [{ field: 'filter', message: 'Narrow it down, by time for instance.' }],
    suggestions: ['Add a filter by time or by team, or sort by another field.'],
    cause: error,
  });
}

/** The handler of `GET /admin/{name}/{id}`, with the version that a change must name. */
export const readOf =
  <Row extends { id: number | string }, Out>(resource: AdminResource<Row, Out>) =>
  async ({ path, ctx }: { path: { id: number | string }; ctx: Context }) => {
    const row = await adminOne(ctx.db, resource.one ?? sourceOf(resource, ctx), path.id);
    if (!row) throw missing(resource, path.id);
    return {
      status: 200 as const,
      headers: { ETag: etagOf(resource.name, row.id, resource.version(row)) },
      body: resource.out(row),
    };
  };

/** @returns the refusal of an id that no row has */
export const missing = ({ singular }: Pick<AdminResource<never, never>, 'singular'>, id: number | string) =>
  new Problem('NOT_FOUND', { message: `There is no ${singular} ${id}.` });

interface Versioned {
  id: number | string;
  updated_at: Date;
}

/** How some keys of one row are changed. */
export interface Change<Locked extends Versioned, K extends keyof Locked> {
  /** What the audit log calls it: "instance_type". */
  kind: string;
  /** The keys somebody sent; those that are undefined were not. */
  patch: { [P in K]?: Locked[P] | undefined };
  lock: (trx: Tx, id: Locked['id']) => Promise<Locked | undefined>;
  /** Rules beyond the schema, with the row locked. */
  check?: (trx: Tx, changes: Partial<Pick<Locked, K>>, before: Locked) => Promise<void>;
  write: (trx: Tx, changes: Partial<Pick<Locked, K>> & { updated_at: Date }) => Promise<unknown>;
  /** The team in whose audit log it stands; else the platform's. */
  team_id?: number;
}

/**
 * The work of `PATCH /admin/{name}/{id}`: the version is compared before and under the lock, what is the same is not
 * written, and the audit row has the changed keys alone.
 */
export async function changeRow<
  Row extends Versioned & Pick<Locked, K>,
  Out,
  Locked extends Versioned,
  K extends keyof Locked,
>(
  ctx: Context,
  resource: AdminResource<Row, Out>,
  id: Locked['id'],
  { kind, patch, lock, check, write, team_id }: Change<Locked, K>,
) {
  const { name } = resource;
  const select = resource.one ?? sourceOf(resource, ctx);
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
    await write(trx, { ...changes, updated_at: nextVersion(before) });
    const row = await adminOne(trx, select, id);
    if (!row) throw missing(resource, id);
    const keys = Object.keys(changes);
    await audit({
      action: `${kind}.update`,
      target_kind: kind,
      target_id: String(id),
      ...(team_id === undefined ? {} : { team_id }),
      before: keysOf(before, keys),
      after: keysOf(row, keys),
    });
    return reply(row);
  });
}

/** How one row is removed. */
export interface Removal<Locked extends { id: number | string }> {
  /** What the audit log calls it: "instance_type". */
  kind: string;
  /** Where that is not `{kind}.delete`. */
  action?: string;
  table: keyof Database;
  lock: (trx: Tx, id: Locked['id']) => Promise<Locked | undefined>;
  /** Refuses what may not go, with the row locked; and does what belongs to its going. */
  check?: (trx: Tx, row: Locked) => void | Promise<void>;
  /** The keys that the audit row keeps, as they were. */
  kept: readonly string[];
  /** What they are read from; the locked row when absent. */
  shown?: (row: Locked) => object;
  /** The team in whose audit log it stands; else the platform's. */
  team_id?: null;
}

/** The work of `DELETE /admin/{name}/{id}`: locked, looked at, removed and written down in one transaction. */
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
