import { ownValue } from '../../console/lib/ownValue';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { findResource } from './resources';
import type { FieldDescription } from './types';

type May = (permission: string | undefined) => boolean;

/**
 * Returns the address of the records with a name, such as a teepod's OS images: several may have it, with different
 * digests. Undefined if this user may not list them.
 */
export function namedItemHref(
  { itemsOf }: Pick<FieldDescription, 'itemsOf'>,
  name: string,
  may: May,
): string | undefined {
  const resource = findResource(itemsOf ?? '');
  return resource && may(resource.permissions.list)
    ? adminHref.list(resource.name, { [resource.titleField]: name })
    : undefined;
}

/**
 * Returns the address of the record named by a text, such as an audit entry's target; undefined if it has no page
 * or the user may not open it.
 * @param may whether the user has a permission
 */
export function namedRecordHref(
  { record: fields }: Pick<FieldDescription, 'record'>,
  record: AdminRecord,
  may: May,
): string | undefined {
  if (fields === undefined) return undefined;
  const [name, id] = [ownValue(record, fields.resource), ownValue(record, fields.id)];
  if (typeof name !== 'string' || typeof id !== 'string') return undefined;
  const show = findResource(name)?.permissions.show;
  return show !== undefined && may(show) ? adminHref.show(name, id) : undefined;
}
