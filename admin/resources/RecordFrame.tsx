import type { ReactNode } from 'react';
import { useGetOne, useParams } from 'react-admin';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { useCrumbs } from '../frame/slots';
import { ActionButton } from '../pages/ActionButton';
import { arrange } from '../pages/fieldLayout';
import { hidesRecord, isMissing, NotFoundPage, StaleNotice, Unread } from '../pages/Fallback';
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
  const title = data ? titleOf(resource, data) : '…';
  useCrumbs([
    { label: resource.label, href: adminHref.list(resource.name) },
    { label: title, href: adminHref.show(resource.name, id) },
    { label },
  ]);
  if (isMissing(error)) return <NotFoundPage />;
  if (hidesRecord(error) || !data) return <Unread resource={resource} error={error} retry={refetch} />;
  const status = resource.fields.find((field) => field.type === 'status');
  return (
    <>
      <StaleNotice resource={resource} error={error} retry={refetch} />
      <PageHeader
        title={title}
        {...(status
          ? {
              status: <States field={status} record={data} />,
            }
          : {})}
        secondary={resource.actions
          .filter(({ danger }) => !danger)
          .map((action) => (
            <ActionButton key={action.name} resource={resource} record={data} action={action} />
          ))}
      />
      {children(data)}
      <ShowAside resource={resource} record={data} fields={arrange(resource).aside} />
    </>
  );
}
