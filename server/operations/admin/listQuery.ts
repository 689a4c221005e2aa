import { parseMicros } from '../../../console/lib/money';
import type { AdminFieldKind, AdminFields, AdminFilterValue, AdminListQuery } from '../../db/adminList';
import { Problem } from '../../domain/problem';

/** Rows in one reply at most; the document says so to clients. */
const MOST_ROWS = 1000;
const MOST_VALUES = 1000;
const DEFAULT_ROWS = 25;

export interface RawListQuery {
  sort?: string;
  range?: string;
  filter?: string;
}

/**
 * The ra-data-simple-rest dialect: `sort=["name","ASC"]`, `range=[0,24]`, `filter={"state":"online","q":"rack"}`.
 * Names are checked against the fields of the resource's schema, values against the field's type.
 */
export function parseListQuery(raw: RawListQuery, fields: AdminFields): AdminListQuery {
  return { sort: sortOf(raw.sort, fields), ...rangeOf(raw.range), ...filterOf(raw.filter, fields) };
}

// `nodes 0-24/319`; `*` stands for the range when it holds no row (RFC 9110 §14.4).
export function contentRange(resource: string, first: number, shown: number, total: number): string {
  return shown === 0 ? `${resource} */${total}` : `${resource} ${first}-${first + shown - 1}/${total}`;
}

const refused = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message, details: [{ field, message }] });

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('MALFORMED_JSON', {
      message: `${name} is not valid JSON.`,
      details: [{ field: name, message: 'Send it as JSON, percent-encoded.' }],
    });
  }
}

function sortOf(text: string | undefined, fields: AdminFields): AdminListQuery['sort'] {
  if (text === undefined) return { field: 'id', descending: false };
  const value = json('sort', text);
  const [field, order] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  if (typeof field !== 'string' || (order !== 'ASC' && order !== 'DESC'))
    throw refused('sort', 'sort is a list of a field and "ASC" or "DESC".');
  if (!Object.hasOwn(fields, field) || fields[field] === 'none') {
    const names = Object.keys(fields).filter((name) => fields[name] !== 'none');
    throw refused('sort', `Rows cannot be sorted by ${quoted(field)}. Use one of: ${names.join(', ')}.`);
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
    throw refused('range', 'range is a list of the first and the last row, counted from 0.');
  if (last - first >= MOST_ROWS) throw refused('range', `A range has at most ${MOST_ROWS} rows.`);
  return { first, last };
}

function filterOf(text: string | undefined, fields: AdminFields): Pick<AdminListQuery, 'filter' | 'search'> {
  const none = { filter: [], search: null };
  if (text === undefined) return none;
  const value = json('filter', text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('filter', 'filter is an object of field and value.');
  const { q, ...wanted } = value as Record<string, unknown>;
  if (q !== undefined && typeof q !== 'string') throw refused('filter.q', 'q is the text to search for.');
  const filter = Object.entries(wanted).map(([field, given]) => {
    const kind = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (kind === undefined || kind === 'none' || kind === 'time')
      throw refused(`filter.${field.slice(0, 60)}`, `Rows cannot be filtered by ${quoted(field)}.`);
    const list = Array.isArray(given) ? (given as unknown[]) : [given];
    if (list.length > MOST_VALUES)
      throw refused(`filter.${field}`, `A filter has at most ${MOST_VALUES} values.`);
    return { field, values: list.map((one) => filterValue(field, kind, one)) };
  });
  return { filter, search: q === undefined || q.trim() === '' ? null : storable(q.trim()) };
}

/** Addresses carry text, so "5" is a number and "true" a boolean where the field is one. */
function filterValue(field: string, kind: AdminFieldKind, value: unknown): AdminFilterValue {
  if (value === null) return null;
  switch (kind) {
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
      if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
      throw refused(`filter.${field}`, `${field} is a whole number.`);
    }
    case 'boolean':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw refused(`filter.${field}`, `${field} is true or false.`);
    case 'money': {
      const micros = typeof value === 'string' ? parseMicros(value) : null;
      if (micros !== null) return micros;
      throw refused(`filter.${field}`, `${field} is an amount as decimal text, such as "0.058".`);
    }
    default:
      if (typeof value === 'string') return storable(value);
      throw refused(`filter.${field}`, `${field} is text.`);
  }
}

/** PostgreSQL's text has no NUL; such a value matches nothing rather than failing in the database. */
const storable = (text: string) => text.replaceAll('\u0000', '\uFFFD');

const quoted = (name: string) => `“${name.slice(0, 60)}”`;
