import { useGetOne, useLocation, useParams } from 'react-admin';
import { Tabs } from '../../console/ui/layout/Tabs';
import { BASE, adminHref, toPublished } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { recordPages } from '../resources';
import type { ResourceDescription } from '../schema/types';
import { usePermissionRefusal } from '../session';
import { childrenOf } from './children';
import { arrange } from './arrange';
import { Total } from './ListAside';
import { ShowAside } from './ShowAside';

/** The pages of one record: itself, what the code adds, and the lists of what points at it with how many there are. */
export function RecordTabs({ resource, record }: { resource: ResourceDescription; record: AdminRecord }) {
  const refusal = usePermissionRefusal();
  const { pathname } = useLocation();
  const here = BASE + toPublished(pathname);
  const because = (permission: string | undefined) => {
    const disabledReason = permission === undefined ? undefined : refusal(permission);
    return disabledReason === undefined ? {} : { disabledReason };
  };
  const itself = adminHref.show(resource.name, record.id);
  const others = [
    ...(recordPages[resource.name] ?? []).map(({ path, label, permission }) => ({
      label,
      href: adminHref.child(resource.name, record.id, path),
      ...because(permission),
    })),
    ...childrenOf(resource).map(({ resource: child, field }) => {
      const disabled = because(child.permissions.list);
      return {
        label: child.label,
        href: adminHref.child(resource.name, record.id, child.name),
        ...disabled,
        ...('disabledReason' in disabled
          ? {}
          : { badge: <Total resource={child} filter={{ [field.name]: record.id }} /> }),
      };
    }),
  ];
  if (others.length === 0) return null;
  return (
    <Tabs
      label={`Pages of ${titleOf(resource, record)}`}
      tabs={[
        { label: 'Overview', href: itself, current: here === itself },
        ...others.map((tab) => ({ ...tab, current: here === tab.href || here.startsWith(`${tab.href}/`) })),
      ]}
    />
  );
}

/** The same on a page of the code's own, which knows its record by the address. */
export function RecordPageTabs({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data } = useGetOne<AdminRecord>(resource.name, { id }, { retry: false, onError: () => undefined });
  return (
    <>
      <RecordTabs resource={resource} record={data ?? { id }} />
      {data && <ShowAside resource={resource} record={data} fields={arrange(resource).aside} spare />}
    </>
  );
}
