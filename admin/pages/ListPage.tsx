import EditOutlined from '@mui/icons-material/EditOutlined';
import { lazy, Suspense, useState } from 'react';
import { ListBase, useListContext, useLocation } from 'react-admin';
import { DataTable, type Column } from '../../console/ui/data/DataTable';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import type { Crumb } from '../../console/ui/layout/frameData';
import type { ListMeta } from '../dataProvider';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { PER_PAGE } from '../listUrl';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { Cell, cellWidths, labelled, rightAligned } from '../schema/Cell';
import type { ColumnDescription, ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { CreateButton } from './CreateButton';
import { RefusedPage } from './Fallback';
import { Filters } from './Filters';
import { ListAside } from './ListAside';
import { ListEmpty } from './ListEmpty';
import { useListKeys } from './useListKeys';
import { isBulk, useSelection } from './selection';

// What is not needed to see the rows comes after them.
const ListTools = lazy(() => import('./ListTools').then((m) => ({ default: m.ListTools })));
const BulkBar = lazy(() => import('./BulkBar').then((m) => ({ default: m.BulkBar })));
const JobProgress = lazy(() => import('./JobProgress').then((m) => ({ default: m.JobProgress })));
const KeyHelp = lazy(() => import('./KeyHelp').then((m) => ({ default: m.KeyHelp })));
const OpenView = lazy(() => import('./OpenView').then((m) => ({ default: m.OpenView })));

const WATCH_MS = 3_000;
const UNDER_WAY: ReadonlySet<unknown> = new Set(['queued', 'waiting', 'running', 'moving', 'stopping']);
/** What has such an end is work, whatever it is called. */
const ENDS: ReadonlySet<string> = new Set(['succeeded', 'finished', 'moved']);

/** Failures are shown in the page, where the rows would be; a list of work is asked for again while some of it goes on. */
function queryOptionsOf({ fields }: ResourceDescription) {
  const state = fields.find(({ choices }) => choices?.some((choice) => ENDS.has(choice)))?.name;
  const goesOn = (data: { data: AdminRecord[] } | undefined) =>
    state !== undefined && data?.data.some((record) => UNDER_WAY.has(record[state])) === true;
  return {
    onError: () => undefined,
    refetchInterval: (query: { state: { data?: { data: AdminRecord[] } | undefined } }) =>
      goesOn(query.state.data) ? WATCH_MS : (false as const),
  };
}

interface Props {
  resource: ResourceDescription;
  /** Only rows with these values: a list below another record. */
  fixed?: Readonly<Record<string, unknown>>;
  /** The steps to it, when it is not a list of its own. */
  crumbs?: readonly Crumb[];
  /** Where a record is added and edited, when not at the resource's own addresses. */
  createHref?: string;
  editHref?: (record: AdminRecord) => string;
  /** Records of such a list are not added by hand. */
  withoutCreate?: boolean;
}

export function ListPage(props: Props) {
  const { resource, fixed } = props;
  const refused = useRefusal()(resource, 'list');
  const { search } = useLocation();
  useCrumbs(props.crumbs ?? [{ label: resource.label }]);
  if (refused !== undefined) return <RefusedPage reason={refused} />;
  const view = new URLSearchParams(search).get('view');
  if (view !== null)
    return (
      <Suspense>
        <OpenView id={view} resource={resource} />
      </Suspense>
    );
  return (
    <ListBase<AdminRecord>
      key={resource.name}
      resource={resource.name}
      perPage={PER_PAGE}
      sort={resource.sort}
      // The address alone says what is shown: it can be sent, kept and opened again.
      storeKey={false}
      disableAuthentication
      queryOptions={queryOptionsOf(resource)}
      {...(fixed === undefined ? {} : { filter: fixed })}
    >
      <ListView {...props} />
    </ListBase>
  );
}

/** Room for a column whose width is not fixed. */
const USUAL_WIDTH = 150;
/** Widths of the table below which the second and the third kind of column give way (console/ui/data). */
const FIRST_FIT = 668;
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
      // The first column is the link to its row: within it nothing can be a link of its own.
      cell: (record) => (
        <Cell
          field={field}
          value={record[field.name]}
          record={record}
          {...(index === 0 ? { plain: true } : {})}
        />
      ),
      ...(width === undefined ? {} : { width }),
      // The first is the row's name, even where that is a number.
      ...(index > 0 && rightAligned.has(field.type) ? { align: 'right' as const } : {}),
      ...(labelled.has(field.type) ? { labelled: true } : {}),
      ...(field.sortable ? { sort: field.name } : {}),
      ...(field.hidden ? { defaultHidden: true } : {}),
      // What somebody switched on is there.
      priority: field.hidden || taken <= FIRST_FIT ? 1 : taken <= SECOND_FIT ? 2 : 3,
    };
  });
}

function ListView({ resource, fixed, createHref, editHref, withoutCreate = false }: Props) {
  const list = useListContext<AdminRecord>();
  const refusal = useRefusal();
  const [job, setJob] = useState<number>();
  const { page, perPage, total, data, sort } = list;
  const { estimated = false } = (list.meta ?? {}) as Partial<ListMeta>;
  const last = Math.ceil((total ?? 0) / perPage);
  const fields = resource.columns.filter((field) => fixed === undefined || !Object.hasOwn(fixed, field.name));
  const columns = columnsOf(fields);
  const noEdit = refusal(resource, 'edit');
  const hrefOfEdit = editHref ?? ((record: AdminRecord) => adminHref.edit(resource.name, record.id));
  const canEdit = resource.permissions.edit !== undefined;
  const selection = useSelection(isBulk(resource));
  const [help, closeHelp] = useListKeys({
    ...(canEdit && noEdit === undefined
      ? {
          edit: (id: string) => {
            const record = data?.find((one) => String(one.id) === id);
            return record && hrefOfEdit(record);
          },
        }
      : {}),
    ...(selection ? { select: selection.onToggle } : {}),
  });
  return (
    <>
      <PageHeader
        title={resource.label}
        subtitle={resource.about}
        {...(resource.permissions.create === undefined || withoutCreate
          ? {}
          : {
              primary: (
                <CreateButton
                  resource={resource}
                  {...(createHref === undefined ? {} : { href: createHref })}
                />
              ),
            })}
      />
      {job !== undefined && (
        <Suspense>
          <JobProgress id={job} onOver={() => void list.refetch()} onClose={() => setJob(undefined)} />
        </Suspense>
      )}
      <DataTable<AdminRecord>
        id={`admin-${resource.name}`}
        label={resource.label}
        noun={resource.plural}
        columns={columns}
        rows={list.error ? [] : data}
        rowId={(record) => String(record.id)}
        rowName={(record) => titleOf(resource, record)}
        {...(resource.permissions.show === undefined
          ? {}
          : { rowHref: (record: AdminRecord) => adminHref.show(resource.name, record.id) })}
        {...(canEdit
          ? {
              rowActions: (record: AdminRecord) => [
                {
                  id: 'edit',
                  label: 'Edit',
                  icon: <EditOutlined />,
                  href: hrefOfEdit(record),
                  ...(noEdit === undefined ? {} : { disabledReason: noEdit }),
                },
              ],
            }
          : {})}
        {...(selection ? { selection } : {})}
        tools={
          <Suspense>
            <ListTools resource={resource} fixed={fixed ?? {}} columns={columns} />
          </Suspense>
        }
        paging={{
          offset: (page - 1) * perPage,
          estimated,
          ...(total === undefined ? {} : { total }),
          ...(page > 1 ? { previous: () => list.setPage(page - 1) } : {}),
          ...(page < last ? { next: () => list.setPage(page + 1) } : {}),
        }}
        sort={{ by: sort.field, descending: sort.order === 'DESC' }}
        onSort={({ by, descending }) => list.setSort({ field: by, order: descending ? 'DESC' : 'ASC' })}
        filters={<Filters resource={resource} fixed={fixed ?? {}} />}
        refreshing={list.isFetching && !list.isPending}
        problem={
          list.error
            ? problemOf(list.error, `${resource.label} could not be listed`, () => void list.refetch())
            : null
        }
        empty={
          <ListEmpty
            resource={resource}
            fixed={fixed ?? {}}
            createHref={withoutCreate ? undefined : (createHref ?? adminHref.create(resource.name))}
          />
        }
      />
      {selection && selection.selected.size > 0 && (
        <Suspense>
          <BulkBar
            resource={resource}
            fixed={fixed ?? {}}
            estimated={estimated}
            onStarted={({ id }) => setJob(id)}
          />
        </Suspense>
      )}
      {help && (
        <Suspense>
          <KeyHelp editable={canEdit} selectable={selection !== undefined} onClose={closeHelp} />
        </Suspense>
      )}
      <ListAside resource={resource} fixed={fixed ?? {}} />
    </>
  );
}
