import { useGetList, useGetOne, useParams } from 'react-admin';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { problemOf, statusOf } from '../../http';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { NotFoundPage } from '../../pages/Fallback';
import { ListPage } from '../../lists/ListPage';
import { adminHref } from '../../paths';
import { titleOf, type AdminRecord } from '../../record';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';

/** The API's maximum page size. */
const MAX_CVMS = 1000;
const quiet = { retry: false, onError: () => undefined };

/** Hosts with CVMs of this team, found through the CVMs because teams don't reference hosts. */
export function Teepods({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data: team, error } = useGetOne<AdminRecord>(resource.name, { id }, quiet);
  const cvms = useGetList<AdminRecord>(
    'cvms',
    {
      filter: { team_id: Number(id) },
      pagination: { page: 1, perPage: MAX_CVMS },
      sort: { field: 'created_at', order: 'DESC' },
    },
    { ...quiet, enabled: team !== undefined },
  );
  if (statusOf(error) === 404 || statusOf(error) === 422) return <NotFoundPage />;
  const failure = error ?? cvms.error;
  if (failure) return <ErrorNotice problem={problemOf(failure, 'Couldn’t load teepods')} />;
  if (!team || !cvms.data) return <PageSkeleton label="Loading teepods" />;
  const there = cvms.data.filter(({ status }) => status !== 'deleted').map(({ teepod_id }) => teepod_id);
  return (
    <ListPage
      resource={getResource('teepods')}
      // A team without CVMs filters by an ID that doesn't exist.
      fixed={{ id: there.length === 0 ? [0] : [...new Set(there)] }}
      crumbs={[
        { label: resource.label, href: adminHref.list(resource.name) },
        {
          label: titleOf(resource, team),
          href: adminHref.show(resource.name, id),
        },
        { label: 'Teepods' },
      ]}
      withoutCreate
    />
  );
}
