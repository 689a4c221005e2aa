import type { ReactNode } from 'react';
import { useGetOne, useParams } from 'react-admin';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { useCrumbs } from '../frame/slots';
import { statusOf } from '../http';
import { ActionButton } from '../pages/ActionButton';
import { arrange } from '../pages/arrange';
import { NotFoundPage, RecordProblem } from '../pages/Fallback';
import { ShowAside } from '../pages/ShowAside';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';

interface Props {
  resource: ResourceDescription;
  /** Of this page, for the breadcrumb. */
  label: string;
  children: (record: AdminRecord) => ReactNode;
}

/** A page of one record beside its own: the same head, actions and aside. */
export function RecordFrame({ resource, label, children }: Props) {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useGetOne<AdminRecord>(
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
  if (statusOf(error) === 404 || statusOf(error) === 422) return <NotFoundPage />;
  if (error)
    return (
      <RecordProblem
        error={error}
        title={`The ${resource.singular} could not be read`}
        retry={() => void refetch()}
      />
    );
  if (isPending || !data) return <PageSkeleton label={`Loading the ${resource.singular}`} />;
  const status = resource.fields.find((field) => field.type === 'status');
  return (
    <>
      <PageHeader
        title={title}
        {...(status ? { status: <StatusChip status={String(data[status.name])} /> } : {})}
        secondary={resource.actions.map((action) => (
          <ActionButton key={action.name} resource={resource} record={data} action={action} />
        ))}
      />
      {children(data)}
      <ShowAside resource={resource} record={data} fields={arrange(resource).aside} />
    </>
  );
}
