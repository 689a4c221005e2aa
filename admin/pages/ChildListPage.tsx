import { useGetOne, useParams } from 'react-admin';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { NotFoundPage } from './Fallback';
import { ListPage } from './ListPage';
import { statusOf } from '../http';

interface Props {
  parent: ResourceDescription;
  resource: ResourceDescription;
  /** The field by which a row points at the parent. */
  field: FieldDescription;
}

/** The records that belong to one other record: `/admin/infra/nodes/7/teepods`. */
export function ChildListPage({ parent, resource, field }: Props) {
  const { id = '' } = useParams();
  const { data, error } = useGetOne<AdminRecord>(
    parent.name,
    { id },
    { retry: false, onError: () => undefined },
  );
  if (statusOf(error) === 404 || statusOf(error) === 422) return <NotFoundPage />;
  return (
    <ListPage
      resource={resource}
      fixed={{ [field.name]: parent.idType === 'integer' ? Number(id) : id }}
      crumbs={[
        { label: parent.label, href: adminHref.list(parent.name) },
        { label: data ? titleOf(parent, data) : '…', href: adminHref.show(parent.name, id) },
        { label: resource.label },
      ]}
    />
  );
}
