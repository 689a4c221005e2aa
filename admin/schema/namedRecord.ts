import { ownValue } from '../../console/lib/ownValue';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { findResource } from './resources';
import type { FieldDescription } from './types';

/**
 * Returns the address of the record that a text names, such as an audit entry's target; undefined if it has no page, or not
 * for this user.
 * @param may whether the user has a permission
 */
export function namedRecordHref(
  { record: fields }: Pick<FieldDescription, 'record'>,
  record: AdminRecord,
  may: (permission: string | undefined) => boolean,
): string | undefined {
  if (fields === undefined) return undefined;
  const [name, id] = [ownValue(record, fields.resource), ownValue(record, fields.id)];
  if (typeof name !== 'string' || typeof id !== 'string') return undefined;
  const show = findResource(name)?.permissions.show;
  return show !== undefined && may(show) ? adminHref.show(name, id) : undefined;
}
