import { sql, type RawBuilder } from 'kysely';
import type { Db } from './client';

/** How one field of an admin resource can be asked for; `none` neither sorts nor filters. */
export type AdminFieldKind = 'integer' | 'text' | 'boolean' | 'money' | 'time' | 'none';
export type AdminFields = Readonly<Record<string, AdminFieldKind>>;

export type AdminFilterValue = string | number | boolean | null;

/** A checked request for rows: every name in it is a field of the resource. */
export interface AdminListQuery {
  sort: { field: string; descending: boolean };
  /** Both included, from 0; at most 1000 rows apart. */
  first: number;
  last: number;
  /** Field → any of these values. */
  filter: readonly { field: string; values: readonly AdminFilterValue[] }[];
  /** Text that must occur in one of the resource's text fields, whatever its case. */
  search: string | null;
}

export interface AdminListSource<Row> {
  fields: AdminFields;
  /** Text fields that `q` looks into. */
  searched: readonly string[];
  /** A select whose columns have the names of the fields, `id` among them. */
  select: RawBuilder<Row>;
}

/** One page and the number of rows there are. Field names go through `sql.ref`, values are parameters. */
export async function adminList<Row>(
  db: Db,
  { searched, select }: AdminListSource<Row>,
  query: AdminListQuery,
): Promise<{ rows: Row[]; total: number }> {
  const where = condition(query, searched);
  const direction = query.sort.descending ? sql`desc nulls last` : sql`asc nulls last`;
  const [page, counted] = await Promise.all([
    sql<Row>`select r.* from (${select}) r where ${where}
      order by ${sql.ref(`r.${query.sort.field}`)} ${direction}, r.id
      limit ${query.last - query.first + 1} offset ${query.first}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from (${select}) r where ${where}`.execute(db),
  ]);
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 };
}

/** The same select for one row. */
export async function adminOne<Row>(
  db: Db,
  { select }: Pick<AdminListSource<Row>, 'select'>,
  id: number | string,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select r.* from (${select}) r where r.id = ${id} limit 1`.execute(db);
  return rows[0];
}

function condition(query: AdminListQuery, searched: readonly string[]): RawBuilder<boolean> {
  const parts = query.filter.map(({ field, values }) => {
    const column = sql.ref(`r.${field}`);
    const some = values.filter((value) => value !== null);
    const anyOf = some.length > 0 ? sql<boolean>`${column} in (${sql.join(some)})` : sql<boolean>`false`;
    return values.length > some.length ? sql<boolean>`(${column} is null or ${anyOf})` : anyOf;
  });
  if (query.search !== null) {
    const pattern = `%${query.search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const hits = searched.map((field) => sql<boolean>`${sql.ref(`r.${field}`)} ilike ${pattern}`);
    parts.push(hits.length > 0 ? sql<boolean>`(${sql.join(hits, sql` or `)})` : sql<boolean>`false`);
  }
  return parts.length > 0 ? sql<boolean>`${sql.join(parts, sql` and `)}` : sql<boolean>`true`;
}
