import { sql, type RawBuilder } from 'kysely';
import { countRows, fewIdsWithWords, type Total } from './adminCount';
import { ownValue } from '../../../console/lib/ownValue';
import type { AdminListQuery, AdminListSource, AdminRelated } from './adminSource';
import type { Db } from './client';
import { inTime } from './statementTimeout';

export type * from './adminSource';

/** Time limit of one list query; beyond it the caller should narrow the filters rather than wait. */
const MAX_MS = 5_000;

/** Returns one page and the number of rows. Field names go through `sql.ref`; values are parameters. */
export async function adminList<Row>(
  db: Db,
  source: AdminListSource<Row>,
  query: AdminListQuery,
): Promise<{ rows: Row[] } & Total> {
  const hits = await fewIdsWithWords(db, source, query);
  const where = hits ? whereHit(query, hits, source) : condition(query, source);
  const [rows, total] = await Promise.all([
    page(db, source, query, where),
    countRows(db, keysOf(source), where),
  ]);
  // An estimate must not be lower than what is shown.
  const least = rows.length > 0 ? query.first + rows.length : 0;
  return { rows, ...total, total: total.estimated ? Math.max(total.total, least) : total.total };
}

async function page<Row>(
  db: Db,
  source: AdminListSource<Row>,
  query: AdminListQuery,
  where: RawBuilder<boolean>,
): Promise<Row[]> {
  if (!source.large) return (await pageQuery(source, query, where).execute(db)).rows;
  const ids = await inTime(db, MAX_MS, async (trx) => {
    const { rows } = await sql<{ id: number | string }>`select r.id from (${keysOf(source)}) r where ${where}
      order by ${order(source, query)} ${range(query)}`.execute(trx);
    return rows.map(({ id }) => id);
  });
  return rowsOf(db, source, ids);
}

/** Selects a page of a source that isn't large. */
export const pageQuery = <Row>(
  source: AdminListSource<Row>,
  query: AdminListQuery,
  where = condition(query, source),
): RawBuilder<Row> =>
  sql<Row>`select r.* from (${source.select}) r where ${where} order by ${order(source, query)} ${range(query)}`;

const range = ({ first, last }: AdminListQuery) => sql`limit ${last - first + 1} offset ${first}`;

/** Returns these rows, in this order. */
async function rowsOf<Row>(
  db: Db,
  { select }: AdminListSource<Row>,
  ids: readonly (number | string)[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row & { id: number | string }>`
    select r.* from (${select}) r where r.id = any(${[...ids]})`.execute(db);
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.flatMap((id) => byId.get(String(id)) ?? []);
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

/** Returns the IDs of all matching rows in the requested order, at most `most`. */
export async function adminIds<Row>(
  db: Db,
  source: AdminListSource<Row>,
  query: Omit<AdminListQuery, 'first' | 'last'>,
  most: number,
): Promise<string[]> {
  return inTime(db, MAX_MS, async (trx) => {
    const { rows } = await sql<{ id: string }>`select r.id::text as id from (${keysOf(source)}) r
      where ${condition(query, source)} order by ${order(source, query)} limit ${most}`.execute(trx);
    return rows.map(({ id }) => id);
  });
}

/** Selects all matching rows, for a cursor. */
export const adminAll = <Row>(
  source: AdminListSource<Row>,
  query: Omit<AdminListQuery, 'first' | 'last'>,
): RawBuilder<Row> => {
  const all = sql<Row>`select r.* from (${source.select}) r`;
  if (!source.large || query.search === null)
    return sql<Row>`${all} where ${condition(query, source)} order by ${order(source, query)}`;
  // Words exist only in the keys, so the filter runs against them.
  return sql<Row>`select f.* from (${source.select}) f join (${keysOf(source)}) r on r.id = f.id
    where ${condition(query, source)} order by ${order(source, query)}`;
};

/** Order of `r`: a newest-first index is read backwards, so both directions use the same index. */
function order(
  { large, nullsFirst }: AdminListSource<unknown>,
  { sort }: Pick<AdminListQuery, 'sort'>,
): RawBuilder<unknown> {
  const by = sql.ref(`r.${sort.field}`);
  const direction = sort.descending ? sql`desc` : sql`asc`;
  if (nullsFirst?.includes(sort.field) && !sort.descending) return sql`${by} asc nulls first, r.id`;
  if (!large?.indexed.includes(sort.field)) return sql`${by} ${direction} nulls last, r.id`;
  const fields = [...new Set([sort.field, large.thenBy, 'id'])];
  const unique = sort.field === 'id' ? ['id'] : fields;
  return sql.join(unique.map((field) => sql`${sql.ref(`r.${field}`)} ${direction}`));
}

const keysOf = ({ select, large }: AdminListSource<unknown>): RawBuilder<unknown> => large?.keys ?? select;

/** Words were looked up before; only the other conditions remain. */
const whereHit = (
  query: AdminListQuery,
  hits: readonly (number | string)[],
  source: Pick<AdminListSource<unknown>, 'related'>,
): RawBuilder<boolean> => sql<boolean>`r.id = any(${[...hits]}) and ${conditions(query, source)}`;

function condition(
  query: Omit<AdminListQuery, 'first' | 'last'>,
  { searched, large, related }: Pick<AdminListSource<unknown>, 'searched' | 'large' | 'related'>,
): RawBuilder<boolean> {
  const { search } = query;
  if (search === null) return conditions(query, { related });
  return sql<boolean>`${conditions(query, { related })} and ${large?.words ? words(search) : parts(search, searched)}`;
}

/** A search without any word finds nothing. */
const words = (text: string) => sql<boolean>`coalesce(r.search @@ event_words_query(${text}), false)`;

function parts(text: string, searched: readonly string[]): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const hits = searched.map((field) => sql<boolean>`${sql.ref(`r.${field}`)} ilike ${pattern}`);
  return hits.length > 0 ? sql<boolean>`(${sql.join(hits, sql` or `)})` : sql<boolean>`false`;
}

function conditions(
  { filter, ranges }: Pick<AdminListQuery, 'filter' | 'ranges'>,
  { related = {} }: { related?: AdminRelated | undefined },
): RawBuilder<boolean> {
  const parts = filter.map(({ field, values }) => {
    const refers = ownValue(related, field);
    if (refers) return refers(sql.join(values.map(given)));
    const column = sql.ref(`r.${field}`);
    const some = values.filter((value) => value !== null);
    const anyOf =
      some.length > 0 ? sql<boolean>`${column} in (${sql.join(some.map(given))})` : sql<boolean>`false`;
    return values.length > some.length ? sql<boolean>`(${column} is null or ${anyOf})` : anyOf;
  });
  for (const { field, op, value } of ranges)
    parts.push(sql<boolean>`${sql.ref(`r.${field}`)} ${sql.raw(op)} ${given(value)}`);
  return parts.length > 0 ? sql<boolean>`${sql.join(parts, sql` and `)}` : sql<boolean>`true`;
}

/** A number out of the column type's range would be an error; as numeric it just matches no row. */
const given = (value: unknown) => (typeof value === 'number' ? sql`${value}::bigint` : sql`${value}`);
