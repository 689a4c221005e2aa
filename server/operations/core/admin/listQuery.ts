import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { isTooDeep, MAX_JSON_DEPTH } from '../../../domain/core/jsonDepth';
import { parseMicros } from '../../../../console/lib/billing/money';
import type {
  AdminFieldKind,
  AdminFields,
  AdminFilterValue,
  AdminListQuery,
  AdminListSource,
  AdminRangeFilter,
  AdminRelated,
  LargeSource,
} from '../../../db/core/adminList';
import { Problem } from '../../../domain/core/problem';
import { ownValue } from '../../../../console/lib/ownValue';
import { invalid } from '../invalid';
import { namedReference } from './names';

/** Maximum rows per reply, as documented to clients. */
const MAX_ROWS = 1000;
const MAX_VALUES = 1000;
const DEFAULT_ROWS = 25;
/** Every page scans all rows before it, and users don't page this far. */
const LAST_ROW = 100_000;

export interface RawListQuery {
  sort?: string;
  range?: string;
  filter?: string;
  format?: 'json' | 'csv';
  columns?: string;
}

/**
 * The ra-data-simple-rest dialect: `sort=["name","ASC"]`, `range=[0,24]`, `filter={"state":"online","q":"rack"}`.
 * Names are checked against the fields of the resource's schema, values against the field's type.
 */
export function parseListQuery(
  raw: RawListQuery,
  fields: AdminFields,
  { large, related }: Pick<AdminListSource<unknown>, 'large' | 'related'> = {},
): AdminListQuery {
  return {
    sort: sortOf(raw.sort, fields, large),
    ...rangeOf(raw.range),
    ...filterOf(raw.filter, fields, related),
  };
}

/** Parses a filter given as an object rather than as its text. */
export const parseFilter = (
  filter: Record<string, unknown> | undefined,
  { fields, related }: Pick<AdminListSource<unknown>, 'fields' | 'related'>,
) => filterIn(filter ?? {}, fields, related);

/** Returns a file's columns, in order: fields, and `{reference}.name` for the name of a referenced record. */
export function columnsOf(text: string | undefined, fields: AdminFields, list: string): string[] {
  if (text === undefined || text.trim() === '') return Object.keys(fields);
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !Object.hasOwn(fields, name) && !namedReference(list, name));
  if (unknown !== undefined)
    throw invalid(
      'columns',
      `Unknown field ${quoted(unknown)}. Use one of: ${Object.keys(fields).join(', ')}.`,
    );
  return names;
}

// `nodes 0-24/319`; `*` stands for the range when it holds no row (RFC 9110 §14.4).
export function contentRange(resource: string, first: number, shown: number, total: number): string {
  return shown === 0 ? `${resource} */${total}` : `${resource} ${first}-${first + shown - 1}/${total}`;
}

function json(name: string, text: string): unknown {
  if (isTooDeep(Buffer.from(text)))
    throw invalid(name, `${name} nests more than ${MAX_JSON_DEPTH} levels deep.`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('MALFORMED_JSON', {
      message: `${name} is not valid JSON.`,
      details: [{ field: name, message: 'Send it as JSON, percent-encoded.' }],
    });
  }
}

function sortOf(
  text: string | undefined,
  fields: AdminFields,
  large: LargeSource | undefined,
): AdminListQuery['sort'] {
  if (text === undefined) return { field: 'id', descending: false };
  const value = json('sort', text);
  const [field, order] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof field !== 'string' || (order !== 'ASC' && order !== 'DESC'))
    throw invalid('sort', 'sort must be a list with a field and "ASC" or "DESC".');
  const sorts = (name: string) =>
    Object.hasOwn(fields, name) &&
    ownValue(fields, name) !== 'none' &&
    (!large?.onlyIndexed || large.indexed.includes(name));
  if (!sorts(field)) {
    const names = Object.keys(fields).filter(sorts);
    throw invalid('sort', `Rows can't be sorted by ${quoted(field)}. Use one of: ${names.join(', ')}.`);
  }
  return { field, descending: order === 'DESC' };
}

function rangeOf(text: string | undefined): Pick<AdminListQuery, 'first' | 'last'> {
  if (text === undefined) return { first: 0, last: DEFAULT_ROWS - 1 };
  const value = json('range', text);
  const [first, last] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  const whole = (n: unknown): n is number =>
    typeof n === 'number' && Number.isSafeInteger(n) && n >= 0 && n <= 2 ** 31;
  if (!whole(first) || !whole(last) || last < first)
    throw invalid('range', 'range must be a list with the first and the last row, counted from 0.');
  if (last - first >= MAX_ROWS) throw invalid('range', `A range can have at most ${MAX_ROWS} rows.`);
  if (first >= LAST_ROW)
    throw invalid(
      'range',
      `Pages end at row ${LAST_ROW.toLocaleString('en')}: narrow the filter, reverse the sort order, or export all rows as CSV.`,
    );
  return { first, last };
}

type Filter = Pick<AdminListQuery, 'filter' | 'ranges' | 'search'>;

function filterOf(text: string | undefined, fields: AdminFields, related: AdminRelated | undefined): Filter {
  const value = text === undefined ? {} : json('filter', text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('filter', 'filter must be an object of fields and values.');
  return filterIn(value as Record<string, unknown>, fields, related);
}

function filterIn(value: Record<string, unknown>, fields: AdminFields, related: AdminRelated = {}): Filter {
  const { q, ...wanted } = value;
  if (q !== undefined && typeof q !== 'string')
    throw invalid('filter.q', 'q must be the text to search for.');
  const kindOf = (field: string) => (Object.hasOwn(fields, field) ? ownValue(fields, field) : undefined);
  const filter: AdminListQuery['filter'][number][] = [];
  const ranges: AdminRangeFilter[] = [];
  for (const [key, given] of Object.entries(wanted)) {
    if (Object.hasOwn(related, key)) {
      filter.push({ field: key, values: integers(key, given) });
      continue;
    }
    const bound = kindOf(key) === undefined ? /^(.+)_(gte|lte)$/.exec(key) : null;
    const field = bound?.[1] ?? key;
    const kind = kindOf(field);
    if (kind === undefined || kind === 'none')
      throw invalid(`filter.${cutWhole(key, 60)}`, `Rows can't be filtered by ${quoted(key)}.`);
    if (bound) {
      ranges.push(rangeValue(key, field, kind, bound[2] === 'gte' ? '>=' : '<=', given));
      continue;
    }
    filter.push({ field, values: listed(field, given).map((one) => filterValue(field, kind, one)) });
  }
  return { filter, ranges, search: q === undefined || q.trim() === '' ? null : storable(q.trim()) };
}

function listed(field: string, given: unknown): readonly unknown[] {
  const list = Array.isArray(given) ? (given as unknown[]) : [given];
  if (list.length > MAX_VALUES)
    throw invalid(`filter.${field}`, `A filter can have at most ${MAX_VALUES} values.`);
  return list;
}

/** Parses a filter on IDs from other tables; at least one. */
function integers(field: string, given: unknown): number[] {
  const values = listed(field, given)
    .map((one) => filterValue(field, 'integer', one))
    .filter((one) => typeof one === 'number');
  if (values.length === 0) throw invalid(`filter.${field}`, `${field} must be a whole number.`);
  return values;
}

const RANGED: ReadonlySet<AdminFieldKind> = new Set(['integer', 'money', 'time']);
const DAY_MS = 86_400_000;

/** Both ends are inclusive, so "up to a day" means before the start of the next day. */
function rangeValue(
  key: string,
  field: string,
  kind: AdminFieldKind,
  op: '>=' | '<=',
  given: unknown,
): AdminRangeFilter {
  if (!RANGED.has(kind)) throw invalid(`filter.${key}`, `${field} can't be filtered by range.`);
  if (kind !== 'time') {
    const value = filterValue(key, kind, given);
    if (typeof value === 'number') return { field, op, value };
    throw invalid(`filter.${key}`, `${key} must be a single number.`);
  }
  const text = typeof given === 'string' ? given.trim() : '';
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime()))
    throw invalid(
      `filter.${key}`,
      `${key} must be a date or time, such as "2026-11-21" or "2026-11-21T08:00:00Z".`,
    );
  if (day && op === '<=') return { field, op: '<', value: new Date(time.getTime() + DAY_MS) };
  return { field, op, value: time };
}

/** Query strings carry text, so "5" is a number and "true" a boolean where the field has that type. */
function filterValue(field: string, kind: AdminFieldKind, value: unknown): AdminFilterValue {
  if (value === null) return null;
  switch (kind) {
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
      if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
      throw invalid(`filter.${field}`, `${field} must be a whole number.`);
    }
    case 'boolean':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw invalid(`filter.${field}`, `${field} must be true or false.`);
    case 'money': {
      const micros = typeof value === 'string' ? parseMicros(value) : null;
      if (micros !== null) return micros;
      throw invalid(`filter.${field}`, `${field} must be a decimal amount in a string, such as "0.058".`);
    }
    case 'time':
      throw invalid(`filter.${field}`, `Filter by a time range: ${field}_gte and ${field}_lte.`);
    case 'uuid':
      if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
      throw invalid(
        `filter.${field}`,
        `${field} must be an ID such as 3f0c1a52-6d1f-4b7b-9b54-0d6a1b6a6f10.`,
      );
    default:
      if (typeof value === 'string') return storable(value);
      throw invalid(`filter.${field}`, `${field} is text.`);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** PostgreSQL text can't hold NUL; such a value matches nothing rather than failing in the database. */
const storable = (text: string) => text.replaceAll('\u0000', '\uFFFD');

const quoted = (name: string) => `“${cutWhole(name, 60)}”`;
