import type { RawBuilder } from 'kysely';

/**
 * How one field of an admin resource can be asked for: `none` neither sorts nor filters; money, numbers and times take
 * ranges, times nothing but ranges and null.
 */
export type AdminFieldKind = 'integer' | 'text' | 'uuid' | 'boolean' | 'money' | 'time' | 'none';
export type AdminFields = Readonly<Record<string, AdminFieldKind>>;

export type AdminFilterValue = string | number | boolean | null;

export interface AdminRangeFilter {
  field: string;
  op: '>=' | '<=' | '<';
  value: number | Date;
}

/** A checked request for rows: every name in it is a field of the resource. */
export interface AdminListQuery {
  sort: { field: string; descending: boolean };
  /** Both included, from 0; at most 1000 rows apart. */
  first: number;
  last: number;
  /** Field → any of these values. */
  filter: readonly { field: string; values: readonly AdminFilterValue[] }[];
  ranges: readonly AdminRangeFilter[];
  /** Text that must occur in one of the resource's text fields, whatever its case. */
  search: string | null;
}

export interface AdminListSource<Row> {
  fields: AdminFields;
  /** Text fields that `q` looks into. */
  searched: readonly string[];
  /** A select whose columns have the names of the fields, `id` among them. */
  select: RawBuilder<Row>;
  /** Where there may be so many rows that every way of asking needs an index. */
  large?: LargeSource;
}

/**
 * A page of such a source is found in two steps: the ids along an index, then those few rows with all they are joined
 * to.
 */
export interface LargeSource {
  /** As `select`, but only what is sorted, filtered and searched by; `search` (tsvector) among it where there are words. */
  keys: RawBuilder<unknown>;
  /** Fields with an index (field, `thenBy`, id); none of them is ever null. */
  indexed: readonly string[];
  /** Orders rows that are alike in the sorted field. */
  thenBy: string;
  /** The other fields do not sort at all: there are too many rows to sort them each time. */
  onlyIndexed?: boolean;
  /**
   * Rows are searched by the beginnings of words, in the column `search` of `keys`; else by parts of the text fields. A
   * select of the ids that hold the words, answered by their index alone.
   */
  words?: (text: string) => RawBuilder<{ id: number | string }>;
}
