import type { Identifier } from 'react-admin';
import type { ResourceDescription } from './schema/types';
import { plain } from './schema/value';
import { ownValue } from '../console/lib/ownValue';

/** A record as returned by the API; resource descriptions define its keys. */
export interface AdminRecord {
  id: Identifier;
  [field: string]: unknown;
}

/** Returns the record's display name. A bare number is prefixed with its kind: "Drain 7". The UI truncates long names. */
export function titleOf(
  { titleField, idType, singular }: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const name = titleField === 'id' && idType === 'integer' ? '' : plain(ownValue(record, titleField));
  return name || `${singular.charAt(0).toUpperCase()}${singular.slice(1)} ${record.id}`;
}

/**
 * Keeps the rows of a list from being taken for whole records (react-admin shows them until a record is read): a form would
 * start without the fields that they lack.
 */
export const listMeta = ({
  partial,
}: Pick<ResourceDescription, 'partial'>): { meta?: Record<string, unknown> } =>
  partial ? { meta: { partial: true } } : {};
