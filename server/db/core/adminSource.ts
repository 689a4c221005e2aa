import type { RawBuilder } from 'kysely';

/**
 * How one field of an admin resource can be queried: `none` can't be sorted or filtered; money, numbers and
 * times take ranges, times only ranges and null.
 */
export type AdminFieldKind = 'integer' | 'text' | 'uuid' | 'boolean' | 'money' | 'time' | 'none';
export type AdminFields = Readonly<Record<string, AdminFieldKind>>;

export type AdminFilterValue = string | number | boolean | null;

export interface AdminRangeFilter {
  field: string;
  op: '>=' | '<=' | '<';
  value: number | Date;
}

/** A validated request for rows: every name in it is a field of the resource. */
export interface AdminListQuery {
  sort: { field: string; descending: boolean };
  /** Both inclusive, from 0; at most 1000 rows apart. */
  first: number;
  last: number;
  /** Field → any of these values. */
  filter: readonly { field: string; values: readonly AdminFilterValue[] }[];
  ranges: readonly AdminRangeFilter[];
  /** Text that must occur in one of the resource's text fields, ignoring case. */
  search: string | null;
}

/** Filters by what other tables have on row `r`: name → whether they have one of these integers, separated by commas. */
export type AdminRelated = Readonly<Record<string, (values: RawBuilder<unknown>) => RawBuilder<boolean>>>;

export interface AdminListSource<Row> {
  fields: AdminFields;
  related?: AdminRelated;
  /** Text columns that `q` searches. */
  searched: readonly string[];
  /** A select whose columns are named like the fields, `id` among them. */
  select: RawBuilder<Row>;
  /** Times that are null before the first: sorted before all others, as in an index (field nulls first). */
  nullsFirst?: readonly string[];
  /** Set where there may be so many rows that every query needs an index. */
  large?: LargeSource;
}

/** Finds a page of such a source in two steps: the IDs along an index, then those few rows with their joins. */
export interface LargeSource {
  /**
   * Like `select`, but only the columns used for sorting, filtering and searching; with `search` (tsvector)
   * where `words` is set.
   */
  keys: RawBuilder<unknown>;
  /** Fields with an index (field, `thenBy`, id); never null. */
  indexed: readonly string[];
  /** Tie-breaker for equal values of the sorted field. */
  thenBy: string;
  /** The other fields can't be sorted: there are too many rows to sort on every request. */
  onlyIndexed?: boolean;
  /**
   * Searches by word prefixes in the column `search` of `keys`; without it, by parts of the text fields. A
   * select of the IDs with the words, answered by their index alone.
   */
  words?: (text: string) => RawBuilder<{ id: number | string }>;
}
