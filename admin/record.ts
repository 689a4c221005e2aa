import type { Identifier } from 'react-admin';
import type { ResourceDescription } from './schema/types';
import { plain } from './schema/value';

/** A row as the API gave it; descriptions say what its keys mean. */
export interface AdminRecord {
  id: Identifier;
  [field: string]: unknown;
}

/** What people call this record; long ones are cut where space ends, not here. */
export const titleOf = (resource: ResourceDescription, record: AdminRecord) =>
  plain(record[resource.titleField]) || `${resource.singular} ${record.id}`;
