import type { AdminListQuery, AdminListSource } from '../../../db/core/adminList';
import type { Context } from '../../types';

/** One resource of the admin area: the source of its rows and the returned fields. */
export interface AdminResource<Row, Out> {
  /** As in its address and in `Content-Range`: "instance-types". */
  name: string;
  /** For messages: "instance type". */
  singular: string;
  source: AdminListSource<Row>;
  /** Replaces `source` where the rows depend on the caller or on a parent record. */
  sourceFor?: (ctx: Context, path: { id?: number | string }) => AdminListSource<Row>;
  /** For resources where a single row returns more than a list row. */
  one?: Pick<AdminListSource<Row>, 'select'>;
  /** Replaces `one` where the row depends on the caller. */
  oneFor?: (ctx: Context) => Pick<AdminListSource<Row>, 'select'>;
  /** Returns the list's filter, including its default exclusions. */
  narrow?: (query: AdminListQuery) => AdminListQuery['filter'];
  out: (row: Row) => Out;
  /** Adds what the query can't, such as the names of records of any resource. */
  finish?: (rows: readonly Out[], ctx: Context, path: { id?: number | string }) => Promise<readonly Out[]>;
  /** When the row last changed, for its `ETag`. */
  version: (row: Row) => Date;
}

/**
 * Every resource that has a list, by name; bulk jobs use it to find their rows. Filled as handlers are
 * created.
 */
const listed = new Map<string, AdminResource<never, unknown>>();

export function addListed<Row, Out extends object>(resource: AdminResource<Row, Out>): void {
  const known = listed.get(resource.name);
  if (known && known.source !== (resource.source as unknown))
    throw new Error(`two admin resources are called ${resource.name}`);
  listed.set(resource.name, resource as unknown as AdminResource<never, unknown>);
}

export const listedResource = (name: string) => listed.get(name);

export const sourceOf = <Row, Out>(
  { source, sourceFor }: Pick<AdminResource<Row, Out>, 'source' | 'sourceFor'>,
  ctx: Context,
  path: { id?: number | string } = {},
): AdminListSource<Row> => sourceFor?.(ctx, path) ?? source;

/** Returns the source of single rows. */
export const oneOf = <Row, Out>(
  resource: Pick<AdminResource<Row, Out>, 'source' | 'sourceFor' | 'one' | 'oneFor'>,
  ctx: Context,
): Pick<AdminListSource<Row>, 'select'> => resource.oneFor?.(ctx) ?? resource.one ?? sourceOf(resource, ctx);
