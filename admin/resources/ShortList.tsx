import { useGetList } from 'react-admin';
import { DataTable } from '../../console/ui/data/DataTable';
import { count } from '../../console/ui/data/count';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { Cell } from '../schema/Cell';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';

const ROWS = 10;

interface Props {
  resource: ResourceDescription;
  /** What its rows have in common; the field they are told apart by elsewhere is not shown. */
  filter: Record<string, unknown>;
  /** The whole list. */
  href: string;
  title?: string;
  empty: string;
}

/** The first rows of a list as a part of another page, with how many there are and the way to all of them. */
export function ShortList({ resource, filter, href, title = resource.label, empty }: Props) {
  const refused = useRefusal()(resource, 'list');
  const { data, total, error, refetch } = useGetList<AdminRecord>(
    resource.name,
    { filter, sort: resource.sort, pagination: { page: 1, perPage: ROWS } },
    { enabled: refused === undefined, retry: false, onError: () => undefined },
  );
  if (refused !== undefined) return null;
  const shown = resource.columns.filter(({ hidden, name }) => !hidden && !Object.hasOwn(filter, name));
  return (
    <Panel
      title={total === undefined ? title : `${title} (${count(total)})`}
      actions={(total ?? 0) > ROWS && <TextLink href={href}>All {count(total ?? 0)}</TextLink>}
    >
      <DataTable<AdminRecord>
        id={`short-${resource.name}`}
        label={resource.label}
        columns={shown.map((column) => ({
          id: column.name,
          header: column.label,
          cell: (row) => <Cell field={column} value={row[column.name]} record={row} />,
        }))}
        rows={data}
        rowId={({ id }) => String(id)}
        rowName={(row) => titleOf(resource, row)}
        {...(resource.permissions.show === undefined
          ? {}
          : { rowHref: ({ id }: AdminRecord) => adminHref.show(resource.name, id) })}
        problem={
          error ? problemOf(error, `${resource.label} could not be listed`, () => void refetch()) : null
        }
        empty={<p>{empty}</p>}
      />
    </Panel>
  );
}
