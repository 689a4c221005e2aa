import { adminList, adminOne, type AdminListSource } from '../../db/adminList';
import type { Tx } from '../../db/client';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { changesOf, checkIfMatch, etagOf, keysOf, nextVersion } from './change';
import { contentRange, parseListQuery, type RawListQuery } from './listQuery';

/** One resource of the admin area: where its rows are, and what of a row goes out. */
export interface AdminResource<Row, Out> {
  /** As in its address and in `Content-Range`: "instance-types". */
  name: string;
  /** For messages: "instance type". */
  singular: string;
  source: AdminListSource<Row>;
  /** Where one row has more to read than the rows of a list. */
  one?: Pick<AdminListSource<Row>, 'select'>;
  out: (row: Row) => Out;
  /** When the row last changed, for its `ETag`. */
  version: (row: Row) => Date;
}

/** The handler of `GET /admin/{name}`: one page in the ra-data-simple-rest dialect. */
export const listOf =
  <Row, Out>({ name, source, out }: AdminResource<Row, Out>) =>
  async ({ query, ctx }: { query: RawListQuery; ctx: Context }) => {
    const asked = parseListQuery(query, source.fields);
    const { rows, total } = await adminList(ctx.db, source, asked);
    return {
      status: 200 as const,
      headers: { 'Content-Range': contentRange(name, asked.first, rows.length, total) },
      body: rows.map(out),
    };
  };

/** The handler of `GET /admin/{name}/{id}`, with the version that a change must name. */
export const readOf =
  <Row extends { id: number | string }, Out>(resource: AdminResource<Row, Out>) =>
  async ({ path, ctx }: { path: { id: number | string }; ctx: Context }) => {
    const row = await adminOne(ctx.db, resource.one ?? resource.source, path.id);
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
}

/**
 * The work of `PATCH /admin/{name}/{id}`: the version is compared before and under the lock, what is the same is not
 * written, and the audit row has the changed keys alone.
 */
export async function changeRow<Row extends Locked, Out, Locked extends Versioned, K extends keyof Locked>(
  ctx: Context,
  resource: AdminResource<Row, Out>,
  id: Locked['id'],
  { kind, patch, lock, check, write }: Change<Locked, K>,
) {
  const { name } = resource;
  const select = resource.one ?? resource.source;
  const reply = (row: Row) => ({
    status: 200 as const,
    headers: { ETag: etagOf(name, row.id, resource.version(row)) },
    body: resource.out(row),
  });
  const found = await adminOne(ctx.db, select, id);
  if (!found) throw missing(resource, id);
  checkIfMatch(ctx, etagOf(name, found.id, resource.version(found)));
  if (Object.keys(changesOf<Locked, K>(found, patch)).length === 0) return reply(found);
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
      before: keysOf(before, keys),
      after: keysOf(row, keys),
    });
    return reply(row);
  });
}
