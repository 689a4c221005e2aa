import { sql } from 'kysely';
import { adminRecords } from '../../../../generated/api/adminRecords.gen';
import { parseUuid } from '../../../../console/lib/ids';
import { ownValue } from '../../../../console/lib/ownValue';
import type { AdminFields } from '../../../db/core/adminList';
import { listableResources } from '../../platform/lists/targets';
import type { Context } from '../../types';
import { listedResource, sourceOf } from './listed';

/** `team_id.name` in a file's columns is the name of the team in `team_id`. */
const SUFFIX = '.name';

/** Returns the reference whose record name the column holds, or undefined. */
export function namedReference(
  list: string,
  column: string,
): { field: string; resource: string } | undefined {
  if (!column.endsWith(SUFFIX)) return undefined;
  const field = column.slice(0, -SUFFIX.length);
  const resource = ownValue(ownValue(adminRecords, list)?.references ?? {}, field);
  return resource === undefined ? undefined : { field, resource };
}

/** Returns the heading of a column in a file: "team" for `team_id.name`. */
export const headingOf = (column: string): string =>
  column.endsWith(SUFFIX) ? column.slice(0, -SUFFIX.length).replace(/_id$/, '') : column;

/** Returns records' names by ID; none of a resource whose list the caller may not read. */
export async function namesOf(
  ctx: Context,
  resource: string,
  ids: readonly (number | string)[],
): Promise<ReadonlyMap<string, string>> {
  const listed = listedResource(resource);
  const title = ownValue(adminRecords, resource)?.title_field;
  if (!listed || title === undefined || !listableResources(ctx).includes(resource)) return new Map();
  const { select, fields } = sourceOf(listed, ctx);
  const possible = [...new Set(ids)].filter((id) => canBeId(id, fields));
  if (possible.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select r.id::text as id, ${sql.ref(`r.${title}`)}::text as name from (${select}) r
    where r.id = any(${possible})`.execute(ctx.db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Bulk job rows hold the input as sent, which may not be an ID: a CVM's name, or a number out of range. */
function canBeId(id: number | string, fields: AdminFields): boolean {
  if (fields.id === 'uuid') return parseUuid(String(id)) !== null;
  return fields.id !== 'integer' || Number(id) <= MAX_INTEGER;
}

/** Maximum of PostgreSQL's `integer` and of IDs in paths. */
const MAX_INTEGER = 2 ** 31 - 1;

/** Adds the name columns to the rows of a file. An unknown record keeps its ID. */
export async function addNames(
  ctx: Context,
  list: string,
  columns: readonly string[],
  rows: readonly object[],
): Promise<readonly object[]> {
  let result = rows as readonly Record<string, unknown>[];
  for (const column of columns) {
    const reference = namedReference(list, column);
    if (!reference) continue;
    const idOf = (row: Record<string, unknown>) => ownValue(row, reference.field) as number | string | null;
    const ids = result.flatMap((row) => idOf(row) ?? []);
    const names = await namesOf(ctx, reference.resource, ids);
    result = result.map((row) => ({ ...row, [column]: names.get(String(idOf(row))) ?? idOf(row) }));
  }
  return result;
}
