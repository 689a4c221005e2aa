import { useGetList } from 'react-admin';
import type { AdminRecord } from '../../record';
import { childFilter, type Child } from './child';

/** Uses the same request as the tab, so that it is sent only once. */
export function useTotal(child: Child | undefined, record: AdminRecord): number | undefined {
  const { total, error } = useGetList<AdminRecord>(
    child?.resource.name ?? '',
    {
      pagination: { page: 1, perPage: 1 },
      ...(child === undefined ? {} : { sort: child.resource.sort, filter: childFilter(child, record.id) }),
    },
    { enabled: child !== undefined, onError: () => undefined },
  );
  return child === undefined || error ? 0 : total;
}
