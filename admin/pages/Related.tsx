import type { ReactNode } from 'react';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { ShortList } from '../resources/ShortList';
import type { ResourceDescription } from '../schema/types';
import { mayWith, useSession } from '../session';
import { childFilter } from './related/child';
import { childrenOf } from './related/children';
import { useTotal } from './related/useTotal';

const MAX_ROWS = 5;

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  /** Shown below the lists once their heights are known. */
  children: ReactNode;
}

/**
 * The first rows of up to three lists that reference a record. The tabs link to all of them, including empty ones.
 */
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
      {lists.slice(0, totals.length).map((one, index) => {
        const child = one.resource;
        const total = totals[index] ?? 0;
        if (total === 0) return null;
        return (
          <ShortList
            key={child.name}
            resource={child}
            filter={childFilter(one, record.id)}
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
