import EditOutlined from '@mui/icons-material/EditOutlined';
import { ListBase, useListContext } from 'react-admin';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { DataTable, type Column } from '../../console/ui/data/DataTable';
import { EmptyState } from '../../console/ui/feedback/EmptyState';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import type { Crumb } from '../../console/ui/layout/frameData';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { Cell, cellWidths, rightAligned } from '../schema/Cell';
import { withArticle } from '../schema/labels';
import type { ColumnDescription, ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { CreateButton } from './CreateButton';
import { Filters } from './Filters';
import { ListAside } from './ListAside';

const PER_PAGE = 25;

/** Failures are shown in the page, where the rows would be, instead of in a passing notification. */
const quiet = { onError: () => undefined };

interface Props {
  resource: ResourceDescription;
  /** Only rows with these values: a list below another record. */
  fixed?: Record<string, unknown>;
  /** The steps to it, when it is not a list of its own. */
  crumbs?: readonly Crumb[];
}

export function ListPage({ resource, fixed, crumbs }: Props) {
  return (
    <ListBase<AdminRecord>
      key={resource.name}
      resource={resource.name}
      perPage={PER_PAGE}
      sort={resource.sort}
      // The address alone says what is shown: it can be sent, kept and opened again.
      storeKey={false}
      disableAuthentication
      queryOptions={quiet}
      {...(fixed === undefined ? {} : { filter: fixed })}
    >
      <ListView resource={resource} fixed={fixed} crumbs={crumbs ?? [{ label: resource.label }]} />
    </ListBase>
  );
}

/** Room for a column whose width is not fixed. */
const USUAL_WIDTH = 150;
/** Widths of the table below which the second and the third kind of column give way (console/ui/data). */
const FIRST_FIT = 660;
const SECOND_FIT = 900;

/** The columns as the table wants them; how soon one gives way on small screens follows from what stands before it. */
function columnsOf(fields: readonly ColumnDescription[]): Column<AdminRecord>[] {
  let taken = 0;
  return fields.map((field, index) => {
    const width = index === 0 ? undefined : cellWidths[field.type];
    taken += field.hidden ? 0 : (width ?? USUAL_WIDTH);
    return {
      id: field.name,
      header: field.label,
      cell: (record) => <Cell field={field} value={record[field.name]} record={record} />,
      ...(width === undefined ? {} : { width }),
      ...(rightAligned.has(field.type) ? { align: 'right' as const } : {}),
      ...(field.sortable ? { sort: field.name } : {}),
      ...(field.hidden ? { defaultHidden: true } : {}),
      priority: taken <= FIRST_FIT ? 1 : taken <= SECOND_FIT ? 2 : 3,
    };
  });
}

function ListView({
  resource,
  fixed,
  crumbs,
}: {
  resource: ResourceDescription;
  fixed: Props['fixed'];
  crumbs: readonly Crumb[];
}) {
  const list = useListContext<AdminRecord>();
  const refusal = useRefusal();
  useCrumbs(crumbs);
  const { page, perPage, total, data, sort } = list;
  const last = Math.ceil((total ?? 0) / perPage);
  const filtered = Object.keys(list.filterValues).length > 0;
  const fields = resource.columns.filter((field) => fixed === undefined || !Object.hasOwn(fixed, field.name));
  const noEdit = refusal(resource, 'edit');
  return (
    <>
      <PageHeader
        title={resource.label}
        subtitle={resource.about}
        {...(resource.permissions.create === undefined
          ? {}
          : { primary: <CreateButton resource={resource} /> })}
      />
      <DataTable<AdminRecord>
        id={`admin-${resource.name}`}
        label={resource.label}
        columns={columnsOf(fields)}
        rows={list.error ? [] : data}
        rowId={(record) => String(record.id)}
        rowName={(record) => titleOf(resource, record)}
        {...(resource.permissions.show === undefined
          ? {}
          : { rowHref: (record: AdminRecord) => adminHref.show(resource.name, record.id) })}
        {...(resource.permissions.edit === undefined
          ? {}
          : {
              rowActions: (record: AdminRecord) => [
                {
                  id: 'edit',
                  label: 'Edit',
                  icon: <EditOutlined />,
                  href: adminHref.edit(resource.name, record.id),
                  ...(noEdit === undefined ? {} : { disabledReason: noEdit }),
                },
              ],
            })}
        paging={{
          offset: (page - 1) * perPage,
          ...(total === undefined ? {} : { total }),
          ...(page > 1 ? { previous: () => list.setPage(page - 1) } : {}),
          ...(page < last ? { next: () => list.setPage(page + 1) } : {}),
        }}
        sort={{ by: sort.field, descending: sort.order === 'DESC' }}
        onSort={({ by, descending }) => list.setSort({ field: by, order: descending ? 'DESC' : 'ASC' })}
        filters={<Filters resource={resource} {...(fixed === undefined ? {} : { fixed })} />}
        refreshing={list.isFetching && !list.isPending}
        problem={
          list.error
            ? problemOf(list.error, `${resource.label} could not be listed`, () => void list.refetch())
            : null
        }
        empty={<Empty resource={resource} filtered={filtered} clear={() => list.setFilters({})} />}
      />
      <ListAside resource={resource} {...(fixed === undefined ? {} : { fixed })} />
    </>
  );
}

function Empty({
  resource,
  filtered,
  clear,
}: {
  resource: ResourceDescription;
  filtered: boolean;
  clear: () => void;
}) {
  const refused = useRefusal()(resource, 'create');
  const noun = resource.label.charAt(0).toLowerCase() + resource.label.slice(1);
  if (filtered)
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <LinkButton href={adminHref.list(resource.name)} onClick={clear}>
            Show all
          </LinkButton>
        }
      >
        No {resource.singular} fits these filters.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No ${noun} yet`}
      {...(refused === undefined
        ? {
            action: (
              <LinkButton href={adminHref.create(resource.name)} variant="contained" color="primary">
                Add {withArticle(resource.singular)}
              </LinkButton>
            ),
          }
        : {})}
    >
      {resource.about}
    </EmptyState>
  );
}
