import { useGetOne, useLocation, useParams } from 'react-admin';
import { Tabs } from '../../console/ui/layout/Tabs';
import { BASE, adminHref, toPublished } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { recordPages } from '../resources';
import type { ResourceDescription } from '../schema/types';
import { usePermissionRefusal } from '../session';
import { childFilter } from './related/child';
import { childrenOf } from './related/children';
import { arrange } from './fieldLayout';
import { Total } from '../lists/ListAside';
import { ShowAside } from './ShowAside';
import { ownValue } from '../../console/lib/ownValue';

/** Tabs of a record: overview, custom pages and lists of records that reference it, with counts. */
export function RecordTabs({ resource, record }: { resource: ResourceDescription; record: AdminRecord }) {
  const refusal = usePermissionRefusal();
  const { pathname } = useLocation();
  const here = BASE + toPublished(pathname);
  const disabledWithout = (permission: string | undefined) => {
    const disabledReason = permission === undefined ? undefined : refusal(permission);
    return disabledReason === undefined ? {} : { disabledReason };
  };
  const overview = adminHref.show(resource.name, record.id);
  const others = [
    ...(ownValue(recordPages, resource.name) ?? []).map(({ path, label, permission }) => ({
      label,
      href: adminHref.child(resource.name, record.id, path),
      ...disabledWithout(permission),
    })),
    ...childrenOf(resource).map((one) => {
      const child = one.resource;
      const disabled = disabledWithout(child.permissions.list);
      return {
        label: child.label,
        href: adminHref.child(resource.name, record.id, child.name),
        ...disabled,
        ...('disabledReason' in disabled
          ? {}
          : {
              badge: <Total resource={child} filter={childFilter(one, record.id)} />,
            }),
      };
    }),
  ];
  if (others.length === 0) return null;
  return (
    <Tabs
      oneLine
      label={`${titleOf(resource, record)} pages`}
      tabs={[
        { label: 'Overview', href: overview, current: here === overview },
        ...others.map((tab) => ({
          ...tab,
          current: here === tab.href || here.startsWith(`${tab.href}/`),
        })),
      ]}
    />
  );
}

/** Record tabs for a custom page, with the record taken from the address. */
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
