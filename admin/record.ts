import type { Identifier } from 'react-admin';
import type { ResourceDescription } from './schema/types';
import { plain } from './schema/value';

/** A row as the API gave it; descriptions say what its keys mean. */
export interface AdminRecord {
  id: Identifier;
  [field: string]: unknown;
}

/** What people call this record; long ones are cut where space ends, not here. A number alone names nothing: "Drain 7". */
export function titleOf(
  { titleField, idType, singular }: Pick<ResourceDescription, 'titleField' | 'idType' | 'singular'>,
  record: AdminRecord,
): string {
  const name = titleField === 'id' && idType === 'integer' ? '' : plain(record[titleField]);
  return name || `${singular.charAt(0).toUpperCase()}${singular.slice(1)} ${record.id}`;
}
