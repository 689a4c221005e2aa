// Event query keys and their meaning, shared by server and console.

import { parseUuid } from '../ids';
import { nearest, type Parsed, parseQuery, type QueryKey, type Term } from './syntax';
import { ownValue } from '../ownValue';

export const SEVERITIES = ['info', 'warning', 'error'] as const;
type Severity = (typeof SEVERITIES)[number];

/** The actor of automatic events. */
export const NOBODY = 'none';

/** `*` per kind; the API document has the same limit for the parameter `kind`. */
const MAX_WILDCARDS = 4;

/** Required and excluded values; empty = no restriction. */
export interface Wanted<T = string> {
  any: readonly T[];
  none: readonly T[];
}

export interface EventQuery {
  /** A kind, its first part (`update`), or a pattern with `*`. */
  kind: Wanted;
  severity: Wanted<Severity>;
  /** Name, vm_uuid or ID, as in URLs. */
  cvm: Wanted;
  /** Name or app_id. */
  app: Wanted;
  /** Correlation IDs. */
  operation: Wanted;
  /** User names or IDs, or NOBODY. */
  by: Wanted;
  /** The message must contain all of `any`, each at the start of a word, case-insensitively. */
  text: Wanted;
  /** Inclusive. */
  after: Date | null;
  /** Exclusive. */
  before: Date | null;
}

export interface ParsedEventQuery extends Parsed {
  query: EventQuery;
}

export const EVENT_KEYS: readonly (QueryKey & { description: string })[] = [
  {
    name: 'kind',
    description: 'What happened: update.failed, host.*, *.failed',
    example: 'kind:update.failed',
    check(value) {
      if (value.length > 64 || !/^[a-z_*]+(\.[a-z_*]+)*$/.test(value))
        return 'A kind has up to 64 lowercase letters, dots and *, as in update.failed, host.* or *.failed.';
      return value.split('*').length - 1 <= MAX_WILDCARDS
        ? null
        : `A kind can have up to ${MAX_WILDCARDS} wildcards (*).`;
    },
  },
  {
    name: 'severity',
    description: 'Severity: info, warning or error',
    example: 'severity:error,warning',
    check(value) {
      if ((SEVERITIES as readonly string[]).includes(value)) return null;
      const near = nearest(value.toLowerCase(), SEVERITIES);
      return `A severity is info, warning or error${near ? `; did you mean ${near}?` : '.'}`;
    },
  },
  { name: 'cvm', description: 'A CVM by name or ID', example: 'cvm:web-1', check: short('A CVM') },
  { name: 'app', description: 'An app by name or ID', example: 'app:shop', check: short('An app') },
  {
    name: 'operation',
    description: 'An operation by correlation ID',
    example: 'operation:0d9f6a1e-3a51-4a0c-9d6b-0a7c8be2f0a4',
    check: (value) =>
      parseUuid(value) === null
        ? 'Use the operation’s correlation ID, as in 0d9f6a1e-3a51-4a0c-9d6b-0a7c8be2f0a4.'
        : null,
  },
  {
    name: 'by',
    description: `User who started it, or ${NOBODY}`,
    example: 'by:alice',
    check: short('A user'),
  },
  {
    name: 'after',
    description: 'Since a date or time (UTC), or 2h, 7d ago',
    example: 'after:2026-11-01',
    many: false,
    negatable: false,
    check: time,
  },
  {
    name: 'before',
    description: 'Until a date or time (UTC), or 2h, 7d ago',
    example: 'before:2026-11-08',
    many: false,
    negatable: false,
    check: time,
  },
];

function short(what: string) {
  return (value: string) => (value.length <= 128 ? null : `${what} can have up to 128 characters.`);
}

function time(value: string): string | null {
  return parseTime(value, 0) === null
    ? 'Write a date (2026-11-01), a time (2026-11-01T14:30, UTC by default) or an age (30m, 2h, 7d).'
    : null;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?$/i;

/** Milliseconds since 1970, or null if invalid. Relative times such as "2h" count back from `now`. */
export function parseTime(value: string, now: number): number | null {
  const ago = /^(\d{1,4})([mhdw])$/.exec(value);
  if (ago) return now - Number(ago[1]) * ownValue(UNITS, ago[2]!)!;
  const day = DATE.test(value) ? value : DATE_TIME.exec(value)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const ms = DATE.test(value)
    ? Date.parse(`${value}T00:00Z`)
    : Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(value) ? value.toUpperCase() : `${value.toUpperCase()}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** February 30 would be parsed as March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

export function parseEventQuery(text: string, now: number = Date.now()): ParsedEventQuery {
  const { terms, errors } = parseQuery(text, EVENT_KEYS);
  const query = eventQueryOf(terms, now);
  const range = terms.find(({ key }) => key === 'before');
  if (errors.length === 0 && range && query.after && query.before && query.after >= query.before)
    return {
      query,
      terms,
      errors: [
        {
          message: 'The range is empty: before: must be later than after:.',
          start: range.start,
          end: range.end,
        },
      ],
    };
  return { query, terms, errors };
}

/** Converts terms in which `parseQuery` found no errors. */
function eventQueryOf(terms: readonly Term[], now: number = Date.now()): EventQuery {
  const of = (key: string): Wanted => ({
    any: terms.find((term) => term.key === key && !term.negated)?.values ?? [],
    none: terms.find((term) => term.key === key && term.negated)?.values ?? [],
  });
  const at = (key: string): Date | null => {
    const value = of(key).any[0];
    const ms = value === undefined ? null : parseTime(value, now);
    return ms === null ? null : new Date(ms);
  };
  const texts = terms.filter((term) => term.key === null);
  return {
    kind: of('kind'),
    severity: of('severity') as Wanted<Severity>,
    cvm: of('cvm'),
    app: of('app'),
    operation: of('operation'),
    by: of('by'),
    text: {
      any: texts.filter(({ negated }) => !negated).flatMap(({ values }) => values),
      none: texts.filter(({ negated }) => negated).flatMap(({ values }) => values),
    },
    after: at('after'),
    before: at('before'),
  };
}
