import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import { count } from '../../console/lib/texts/count';
import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import type { FieldDescription } from './types';

/** Returns the limit a host reports for this field; undefined if it reports none. */
function hostLimitOf({ hostLimit = '' }: FieldDescription, record: AdminRecord): number | undefined {
  const limit = Number(ownValue(record, hostLimit) ?? 0);
  return limit > 0 ? limit : undefined;
}

/** Returns the limit of a usage field: the configured one, or the host's own if that is lower. */
export const limitOf = (field: FieldDescription, record: AdminRecord): number =>
  Math.min(Number(ownValue(record, field.limit ?? '') ?? 0), hostLimitOf(field, record) ?? Infinity);

/** Says that the host's own limit replaces a higher configured one; undefined if it doesn't. */
export function overriddenText(field: FieldDescription, record: AdminRecord): string | undefined {
  const configured = Number(ownValue(record, field.limit ?? '') ?? 0);
  const limit = hostLimitOf(field, record);
  if (limit === undefined || limit >= configured) return undefined;
  return `Set to ${shown(field, configured)}, but the host allows at most ${shown(field, limit)}.`;
}

/** Adds the host's own limit to the field's help. */
export function withHostLimit(field: FieldDescription, record: AdminRecord): FieldDescription {
  const limit = hostLimitOf(field, record);
  if (limit === undefined) return field;
  return { ...field, help: `The host allows at most ${shown(field, limit)}. ${field.help ?? ''}`.trim() };
}

function shown(field: FieldDescription, amount: number): string {
  const unit: string = field.unit ?? field.type;
  if (unit === 'megabytes') return formatMb(amount);
  return unit === 'gigabytes' ? formatGb(amount) : count(amount);
}

/** Whether the record has nothing that the field counts, such as GPUs. A limit set to 0 is still shown. */
export const isAbsent = ({ name, limit = '' }: FieldDescription, record: AdminRecord): boolean =>
  !limit.startsWith('max_') && ownValue(record, limit) === 0 && ownValue(record, name) === 0;
