import { isNamedById } from '../record';
import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';

/** Types shown at full width under their own heading, like text that may be a paragraph. */
const WIDE: ReadonlySet<FieldType> = new Set(['long_text', 'code', 'json', 'list', 'slugs', 'rows']);
const PARAGRAPH = 1000;

const isWide = ({ type, maxLength = 0 }: FieldDescription) =>
  WIDE.has(type) || (type === 'text' && maxLength >= PARAGRAPH);

/** Shown at the top of the page: errors and warnings. */
const TROUBLE: ReadonlySet<string> = new Set(['last_error', 'warnings', 'notices']);

/** Times that show how old the other values are. */
const AGES: ReadonlySet<string> = new Set(['read_at', 'checked_at']);

/** Groups whose records are about a time: an order's term, a payment's date. */
const DATED_GROUPS: ReadonlySet<string> = new Set(['billing']);

/**
 * Whether a value deserves a line on the record's page. Empty values are omitted, because a page would have a dash
 * for everything that doesn't apply.
 */
export function isWorthALine({ onPage }: Pick<FieldDescription, 'onPage'>, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  if (onPage === 'if_set' && (value === false || value === 0 || value === 'none')) return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/**
 * Assigns fields to parts of the page by type. The ID, and times that aren't plans, go to the aside, which may be
 * closed.
 */
export function arrange(resource: ResourceDescription) {
  const limits = new Set(resource.fields.flatMap((field) => field.limit ?? []));
  const isDated = DATED_GROUPS.has(resource.group);
  const inAside = ({ name, readOnly, type, exact }: FieldDescription) =>
    name === 'id' ||
    (readOnly && type === 'time' && !exact && !AGES.has(name) && (!isDated || name === 'updated_at'));
  const isTrouble = (field: FieldDescription) => TROUBLE.has(field.name) && field.readOnly;
  const shown = resource.fields.filter(
    (field) =>
      (field.name !== resource.titleField || isNamedById(resource)) &&
      // A panel of the record shows it as readers will see it.
      field.type !== 'formatted' &&
      field.onPage !== 'in_panel' &&
      !limits.has(field.name) &&
      !isTrouble(field),
  );
  return {
    trouble: resource.fields.filter(isTrouble),
    usage: shown.filter((field) => field.type === 'usage'),
    wide: shown.filter(isWide),
    details: shown.filter(
      (field) => field.type !== 'usage' && field.type !== 'secret' && !isWide(field) && !inAside(field),
    ),
    aside: resource.fields.filter(inAside),
  };
}
