import { useGetList } from 'react-admin';
import { DataTable, type TableLook } from '../../console/ui/data/DataTable';
import { columnsOf } from '../lists/columns';
import { count } from '../../console/lib/texts/count';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';

/** Default number of rows. */
export const SHORT_ROWS = 10;

/** A short list has no controls for its appearance. */
const COMPACT: TableLook = {
  columns: '',
  isDense: true,
  onColumns: () => undefined,
  onDense: () => undefined,
};

interface Props {
  resource: ResourceDescription;
  /** Fixed filter; its fields aren't shown as columns. */
  filter: Record<string, unknown>;
  /** Address of the full list. */
  href: string;
  title?: string;
  /** Number of rows shown. */
  rows?: number;
  /** Rows to reserve room for while they load. */
  expected?: number;
  empty: string;
}

/** The first rows of a list within another page, with the total and a link to the full list. */
export function ShortList({
  resource,
  filter,
  href,
  title = resource.label,
  rows = SHORT_ROWS,
  expected,
  empty,
}: Props) {
  const refused = useRefusal()(resource, 'list');
  const { data, total, error, refetch } = useGetList<AdminRecord>(
    resource.name,
    { filter, sort: resource.sort, pagination: { page: 1, perPage: rows } },
    { enabled: refused === undefined, retry: false, onError: () => undefined },
  );
  if (refused !== undefined) return null;
  const shown = resource.columns.filter(({ hidden, name }) => !hidden && !Object.hasOwn(filter, name));
  return (
    <Panel
      title={total === undefined ? title : `${title} (${count(total)})`}
      actions={(total ?? 0) > rows && <TextLink href={href}>All {count(total ?? 0)}</TextLink>}
    >
      <DataTable<AdminRecord>
        id={`short-${resource.name}`}
        label={resource.label}
        noun={[resource.singular, resource.plural]}
        columns={columnsOf(shown.map((column) => ({ ...column, sortable: false })))}
        bare
        evenRows
        look={COMPACT}
        rows={data}
        {...(expected === undefined ? {} : { skeletonRows: expected })}
        rowId={({ id }) => String(id)}
        rowName={(row) => titleOf(resource, row)}
        {...(resource.permissions.show === undefined
          ? {}
          : {
              rowHref: ({ id }: AdminRecord) => adminHref.show(resource.name, id),
            })}
        problem={error ? problemOf(error, `Couldn’t load ${resource.plural}`, () => void refetch()) : null}
        empty={<p>{empty}</p>}
      />
    </Panel>
  );
}
