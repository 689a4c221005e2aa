import { useGetList, useGetOne, useParams } from 'react-admin';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { problemOf, statusOf } from '../../http';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { NotFoundPage } from '../../pages/Fallback';
import { ListPage } from '../../pages/ListPage';
import { adminHref } from '../../paths';
import { titleOf, type AdminRecord } from '../../record';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';

/** CVMs of one team that are looked through: as many as a list gives at once. */
const MOST = 1000;
const quiet = { retry: false, onError: () => undefined };

/** The hosts on which this team's CVMs are: no reference of the document says it, the CVMs do. */
export function Teepods({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data: team, error } = useGetOne<AdminRecord>(resource.name, { id }, quiet);
  const cvms = useGetList<AdminRecord>(
    'cvms',
    {
      filter: { team_id: Number(id) },
      pagination: { page: 1, perPage: MOST },
      sort: { field: 'created_at', order: 'DESC' },
    },
    { ...quiet, enabled: team !== undefined },
  );
  if (statusOf(error) === 404 || statusOf(error) === 422) return <NotFoundPage />;
  const failure = error ?? cvms.error;
  if (failure) return <ErrorNotice problem={problemOf(failure, 'The teepods could not be found')} />;
  if (!team || !cvms.data) return <PageSkeleton label="Loading teepods" />;
  const there = cvms.data.filter(({ status }) => status !== 'deleted').map(({ teepod_id }) => teepod_id);
  return (
    <ListPage
      resource={getResource('teepods')}
      // Without any CVM it is the list of no id, which none has.
      fixed={{ id: there.length === 0 ? [0] : [...new Set(there)] }}
      crumbs={[
        { label: resource.label, href: adminHref.list(resource.name) },
        { label: titleOf(resource, team), href: adminHref.show(resource.name, id) },
        { label: 'Teepods' },
      ]}
      withoutCreate
    />
  );
}
