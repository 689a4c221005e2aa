import { formatGb, formatMb } from '../../console/lib/sizes';
import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';
import { choiceLabel, plain } from '../schema/value';

/*
 * What a list's filter says, in words and by kind. On the wire: a field and its value, or `field_gte` and `field_lte`, both
 * included.
 */

export type Values = Readonly<Record<string, unknown>>;

const RANGES: ReadonlySet<FieldType> = new Set([
  'integer',
  'number',
  'usage',
  'megabytes',
  'gigabytes',
  'money',
  'time',
]);

/** Of numbers, amounts and times it is asked from where to where. */
export const isRange = ({ type }: FieldDescription): boolean => RANGES.has(type);

export const from = (name: string) => `${name}_gte`;
export const to = (name: string) => `${name}_lte`;

/** The filters the document names, and ranges of what the list shows at first. */
export function offeredFilters(resource: ResourceDescription, fixed: Values): FieldDescription[] {
  const named = resource.filters.filter(({ name }) => !Object.hasOwn(fixed, name));
  const ranges = resource.columns.filter(
    (column) => !column.hidden && isRange(column) && !named.some(({ name }) => name === column.name),
  );
  return [...named, ...ranges];
}

/** "since 1 Nov", "at least 4 GB": the end of a range in words. */
function endOf(field: FieldDescription, value: unknown, end: 'gte' | 'lte'): string {
  if (field.type === 'time') return `${end === 'gte' ? 'from' : 'until'} ${moment(plain(value))}`;
  const figure =
    field.type === 'megabytes' || field.unit === 'megabytes'
      ? formatMb(Number(value))
      : field.type === 'gigabytes' || field.unit === 'gigabytes'
        ? formatGb(Number(value))
        : `${field.type === 'money' ? '$' : ''}${plain(value)}`;
  return `${end === 'gte' ? 'at least' : 'at most'} ${figure}`;
}

/** A day says so as it is; an instant in the time of this place. */
const moment = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)) ? text : new Date(text).toLocaleString();

export interface Chip {
  id: string;
  label: string;
  value: string;
}

/** A chip for every part of the filter, also for what no form of ours offers: what filters is seen. */
export function chipsOf(resource: ResourceDescription, values: Values): Chip[] {
  return Object.entries(values).map(([id, value]) => {
    if (id === 'q') return { id, label: 'Search', value: plain(value) };
    const [, base = '', end] = /^(.+)_(gte|lte)$/.exec(id) ?? [];
    const whole = resource.fields.find(({ name }) => name === id);
    const ranged = whole ? undefined : resource.fields.find(({ name }) => name === base);
    if (ranged)
      return { id, label: ranged.label, value: endOf(ranged, value, end === 'gte' ? 'gte' : 'lte') };
    const words = whole?.choices
      ? [value]
          .flat()
          .map((one) => choiceLabel(String(one)))
          .join(', ')
      : plain(value);
    return { id, label: whole?.label ?? id, value: words };
  });
}
