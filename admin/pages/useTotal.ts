import { useGetList } from 'react-admin';
import type { AdminRecord } from '../record';
import type { FieldDescription, ResourceDescription } from '../schema/types';

export interface Child {
  /** Under the name that its records have on the page of the parent. */
  resource: ResourceDescription;
  /** The field that references the parent. */
  field: FieldDescription;
}

/** Counts with the same request as the tab, which is then sent once. */
export function useTotal(child: Child | undefined, record: AdminRecord): number | undefined {
  const { total, error } = useGetList<AdminRecord>(
    child?.resource.name ?? '',
    {
      pagination: { page: 1, perPage: 1 },
      ...(child === undefined
        ? {}
        : { sort: child.resource.sort, filter: { [child.field.name]: record.id } }),
    },
    { enabled: child !== undefined, onError: () => undefined },
  );
  return child === undefined || error ? 0 : total;
}
