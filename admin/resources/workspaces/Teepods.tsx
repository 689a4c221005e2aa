import { useGetOne, useParams } from 'react-admin';
import { ListPage } from '../../lists/ListPage';
import { viewRecord } from '../../pages/recordView';
import { adminHref } from '../../paths';
import { titleOf, type AdminRecord } from '../../record';
import { getResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';

/** Hosts with existing CVMs of this team. Teams don't reference hosts, so the server searches for them. */
export function Teepods({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useGetOne<AdminRecord>(
    resource.name,
    { id },
    { retry: false, onError: () => undefined },
  );
  const view = viewRecord(resource, { record: data, error, refetch });
  if (!view.record) return view.page;
  return (
    <>
      {view.notice}
      <ListPage
        resource={getResource('teepods')}
        fixed={{ cvm_team_id: Number(id) }}
        crumbs={[
          { label: resource.label, href: adminHref.list(resource.name) },
          { label: titleOf(resource, view.record), href: adminHref.show(resource.name, id) },
          { label: 'Teepods' },
        ]}
        withoutCreate
      />
    </>
  );
}
