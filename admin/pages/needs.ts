import { ownValue } from '../../console/lib/ownValue';
import type { AdminRecord } from '../record';
import type { OperationHints } from '../schema/xAdmin';

/** Whether the field has one of these values. They are compared as strings because YAML may quote them. */
export const hasOneOf = (record: AdminRecord, field: string, values: readonly unknown[]): boolean =>
  values.some((value) => String(value) === String(ownValue(record, field) ?? null));

/** Returns why the server would refuse the operation on this record, for its disabled button. */
export const unmetNeed = ({ needs = [] }: OperationHints, record: AdminRecord): string | undefined =>
  needs.find(({ field, values }) => Object.hasOwn(record, field) && !hasOneOf(record, field, values))?.text;
