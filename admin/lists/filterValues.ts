import { ownValue } from '../../console/lib/ownValue';
import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';
import { desiredLabel } from '../schema/observed';
import { choiceLabel, plain } from '../schema/value';
import { minuteTime } from '../../console/ui/data/time';

/*
 * Filter values of a list. On the wire: a field and its value, or the inclusive bounds `field_gte` and `field_lte`.
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

/** Whether the field is filtered by a range. */
export const isRange = ({ type }: FieldDescription): boolean => RANGES.has(type);

export const from = (name: string) => `${name}_gte`;
export const to = (name: string) => `${name}_lte`;

/** Returns the resource with only those filters and sortable columns that the server accepts from the user. */
export function permittedList(
  resource: ResourceDescription,
  permissions: readonly string[],
): ResourceDescription {
  const isEmpty = ({ needsPermission }: FieldDescription) =>
    needsPermission !== undefined && !permissions.includes(needsPermission);
  return {
    ...resource,
    filters: resource.filters.filter((field) => !isEmpty(field)),
    columns: resource.columns.map((column) => (isEmpty(column) ? { ...column, sortable: false } : column)),
  };
}

/** Returns the document's filters, and ranges for default columns: those by which the server can also sort. */
export function offeredFilters(resource: ResourceDescription, fixed: Values): FieldDescription[] {
  const named = resource.filters.filter(({ name }) => !Object.hasOwn(fixed, name));
  const ranges = resource.columns.filter(
    (column) =>
      !column.hidden && column.sortable && isRange(column) && !named.some(({ name }) => name === column.name),
  );
  return [...named, ...ranges];
}

/** Whether every row has the same value in a field, so that its column would be pointless. */
export function isSame(fixed: Values | undefined, field: string): boolean {
  const value = ownValue(fixed ?? {}, field);
  return value !== undefined && !(Array.isArray(value) && value.length > 1);
}

/** Describes one end of a range: "from 1 Nov", "at least 4 GB". */
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

/** Keeps a date as is and shows an instant in local time. */
const moment = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)) ? text : minuteTime(text);

export interface Chip {
  id: string;
  label: string;
  value: string;
}

/** Returns a chip for every active filter, including those not offered in the panel. */
export function chipsOf(resource: ResourceDescription, values: Values): Chip[] {
  return Object.entries(values).map(([id, value]) => {
    if (id === 'q') return { id, label: 'Search', value: plain(value) };
    const [, base = '', end] = /^(.+)_(gte|lte)$/.exec(id) ?? [];
    const whole = resource.fields.find(({ name }) => name === id);
    const ranged = whole ? undefined : resource.fields.find(({ name }) => name === base);
    if (ranged)
      return {
        id,
        label: ranged.label,
        value: endOf(ranged, value, end === 'gte' ? 'gte' : 'lte'),
      };
    const words = whole?.choices
      ? [value]
          .flat()
          .map((one) => choiceLabel(String(one), whole.words))
          .join(', ')
      : value === null
        ? 'Not set'
        : plain(value);
    return { id, label: whole ? desiredLabel(whole) : id, value: words };
  });
}
