import type { ReactNode } from 'react';
import { useGetList } from 'react-admin';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { ShortList } from '../resources/ShortList';
import type { ResourceDescription } from '../schema/types';
import { mayWith, useSession } from '../session';
import { childrenOf, type Child } from './children';

const MAX_ROWS = 5;

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

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  /** Follows the lists; shown once they have their place. */
  children: ReactNode;
}

/** The first rows of up to three lists that reference a record. The tabs lead to all of them, including empty ones. */
export function Related({ resource, record, children }: Props) {
  const { platform_permissions } = useSession();
  const lists = childrenOf(resource).filter(({ resource: child }) =>
    mayWith(platform_permissions, child.permissions.list),
  );
  const [first, second, third] = lists;
  const totals = [useTotal(first, record), useTotal(second, record), useTotal(third, record)];
  if (totals.includes(undefined)) return null;
  return (
    <>
      {lists.slice(0, totals.length).map(({ resource: child, field }, index) => {
        const total = totals[index] ?? 0;
        if (total === 0) return null;
        return (
          <ShortList
            key={child.name}
            resource={child}
            filter={{ [field.name]: record.id }}
            href={adminHref.child(resource.name, record.id, child.name)}
            rows={MAX_ROWS}
            expected={Math.min(total, MAX_ROWS)}
            empty=""
          />
        );
      })}
      {children}
    </>
  );
}
