import type { ReactNode } from 'react';
import { useGetOne, useParams } from 'react-admin';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { useCrumbs } from '../frame/slots';
import { RecordAction } from '../pages/RecordAction';
import { arrange } from '../pages/fieldLayout';
import { viewRecord } from '../pages/recordView';
import { ShowAside } from '../pages/ShowAside';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { States } from '../schema/States';
import type { ResourceDescription } from '../schema/types';

interface Props {
  resource: ResourceDescription;
  /** Breadcrumb of this page. */
  label: string;
  children: (record: AdminRecord) => ReactNode;
}

/** Layout of a custom record page, with the record's header, actions and aside. */
export function RecordFrame({ resource, label, children }: Props) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useGetOne<AdminRecord>(
    resource.name,
    { id },
    { retry: false, onError: () => undefined },
  );
  const view = viewRecord(resource, { record: data, error, refetch });
  const title = view.record ? titleOf(resource, view.record) : '…';
  useCrumbs([
    { label: resource.label, href: adminHref.list(resource.name) },
    { label: title, href: adminHref.show(resource.name, id) },
    { label },
  ]);
  if (!view.record) return view.page;
  const { record, notice } = view;
  const status = resource.fields.find((field) => field.type === 'status');
  return (
    <>
      {notice}
      <PageHeader
        title={title}
        {...(status
          ? {
              status: <States field={status} record={record} />,
            }
          : {})}
        secondary={resource.actions
          .filter(({ danger }) => !danger)
          .map((action) => (
            <RecordAction key={action.name} resource={resource} record={record} action={action} />
          ))}
      />
      {children(record)}
      <ShowAside resource={resource} record={record} fields={arrange(resource).aside} />
    </>
  );
}
