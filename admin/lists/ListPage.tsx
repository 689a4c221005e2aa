import PencilIcon from 'lucide-react/icons/pencil';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { ListBase, useListContext, useLocation, useRefresh } from 'react-admin';
import type { MenuEntry } from '../../console/ui/controls/MenuButton';
import { DataTable } from '../../console/ui/data/DataTable';
import { KeepFocus } from '../../console/ui/KeepFocus';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import type { Crumb } from '../../console/ui/layout/frameData';
import type { ListMeta } from '../dataProvider';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { PER_PAGE } from './listUrl';
import { adminHref } from '../paths';
import { listMeta, titleOf, type AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { useRefusal, useSession } from '../session';
import { unmetNeed } from '../pages/needs';
import { CreateButton } from '../pages/CreateButton';
import { RefusedPage } from '../pages/Fallback';
import { columnsOf } from './columns';
import { Filters } from './Filters';
import { isSame, permittedList } from './filterValues';
import { ListAside } from './ListAside';
import { ListEmpty } from './ListEmpty';
import { useListLook } from './listLook';
import { useListKeys } from './useListKeys';
import { isBulk, useSelection } from './selection';
import { ownValue } from '../../console/lib/ownValue';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';

// Loaded after the rows.
const ListTools = lazyWithRetry(() => import('./ListTools').then((m) => ({ default: m.ListTools })));
const BulkBar = lazyWithRetry(() => import('./BulkBar').then((m) => ({ default: m.BulkBar })));
const JobProgress = lazyWithRetry(() => import('./JobProgress').then((m) => ({ default: m.JobProgress })));
const KeyHelp = lazyWithRetry(() => import('../pages/KeyHelp').then((m) => ({ default: m.KeyHelp })));
const OpenView = lazyWithRetry(() => import('./OpenView').then((m) => ({ default: m.OpenView })));

const WATCH_MS = 3_000;
const ACTIVE_STATES: ReadonlySet<unknown> = new Set(['queued', 'waiting', 'running', 'moving', 'stopping']);
/** Resources with one of these states represent work that finishes. */
const FINAL_STATES: ReadonlySet<string> = new Set(['succeeded', 'finished', 'moved']);

/** Whether any of these records is work in progress. */
function isActive({ fields }: ResourceDescription, records: readonly AdminRecord[] | undefined): boolean {
  const state = fields.find(({ choices }) => choices?.some((choice) => FINAL_STATES.has(choice)))?.name;
  return (
    state !== undefined && records?.some((record) => ACTIVE_STATES.has(ownValue(record, state))) === true
  );
}

/** Errors display in place of the rows. Lists of work refetch while any of it is active. */
const queryOptionsOf = (resource: ResourceDescription) => ({
  ...listMeta(resource),
  onError: () => undefined,
  refetchInterval: (query: { state: { data?: { data: AdminRecord[] } | undefined } }) =>
    isActive(resource, query.state.data?.data) ? WATCH_MS : (false as const),
});

interface Props {
  resource: ResourceDescription;
  /** Fixed filter of a list below another record. */
  fixed?: Readonly<Record<string, unknown>>;
  /** Replaces the resource's own subtitle. */
  subtitle?: ReactNode;
  /** Breadcrumbs of a list below another record. */
  crumbs?: readonly Crumb[];
  /** Addresses of the create and edit forms, if not the resource's own. */
  createHref?: string;
  editHref?: (record: AdminRecord) => string;
  /** Hides the create button. */
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
      // The address alone determines what is shown, so that it can be shared and bookmarked.
      storeKey={false}
      disableAuthentication
      queryOptions={queryOptionsOf(resource)}
      {...(fixed === undefined ? {} : { filter: fixed })}
    >
      <ListView {...props} />
    </ListBase>
  );
}

function ListView({
  resource: whole,
  fixed,
  subtitle = whole.about,
  createHref,
  editHref,
  withoutCreate = false,
}: Props) {
  const { platform_permissions } = useSession();
  const resource = useMemo(() => permittedList(whole, platform_permissions), [whole, platform_permissions]);
  const list = useListContext<AdminRecord>();
  // Also refreshes the totals in the aside.
  const refresh = useRefresh();
  const [job, setJob] = useState<number>();
  const { page, perPage, total, data, sort } = list;
  const { estimated = false } = (list.meta ?? {}) as Partial<ListMeta>;
  const last = Math.ceil((total ?? 0) / perPage);
  const fields = resource.columns.filter(({ name }) => !isSame(fixed, name));
  const columns = columnsOf(fields);
  const table = `admin-${resource.name}`;
  const { named, ...look } = useListLook(table, columns);
  const editing = useRowEditing(resource, editHref);
  // There is nothing to export or save as a view.
  const isBare = total === 0 && Object.keys(list.filterValues as object).length === 0;
  const selection = useSelection(isBulk(resource));
  const [help, closeHelp] = useListKeys({
    ...(editing
      ? {
          edit: (id: string) => {
            const record = data?.find((one) => String(one.id) === id);
            return record && editing.hrefOf(record);
          },
        }
      : {}),
    ...(selection ? { select: selection.onToggle } : {}),
  });
  return (
    <>
      <PageHeader
        title={resource.label}
        subtitle={subtitle}
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
          <JobProgress id={job} onOver={refresh} onClose={() => setJob(undefined)} />
        </Suspense>
      )}
      <DataTable<AdminRecord>
        id={table}
        evenRows
        look={look}
        label={resource.label}
        noun={[resource.singular, resource.plural]}
        columns={columns}
        rows={data ?? (list.error ? [] : undefined)}
        rowId={(record) => String(record.id)}
        rowName={(record) => titleOf(resource, record)}
        {...(resource.permissions.show === undefined
          ? {}
          : {
              rowHref: (record: AdminRecord) => adminHref.show(resource.name, record.id),
            })}
        {...(editing ? { rowActions: editing.actionsOf } : {})}
        {...(selection ? { selection } : {})}
        tools={
          !isBare && (
            <Suspense>
              <ListTools resource={resource} fixed={fixed ?? {}} look={named} />
            </Suspense>
          )
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
            ? problemOf(list.error, `Couldn’t load ${resource.plural}`, () => void list.refetch())
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
      <KeepFocus>
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
      </KeepFocus>
      {help && (
        <Suspense>
          <KeyHelp editable={editing !== null} selectable={selection !== undefined} onClose={closeHelp} />
        </Suspense>
      )}
      <ListAside
        resource={resource}
        fixed={fixed ?? {}}
        {...(isActive(resource, data) ? { watchMs: WATCH_MS } : {})}
      />
    </>
  );
}

/** Editing from the rows: null if the resource's records can't be edited. */
function useRowEditing(
  resource: ResourceDescription,
  editHref = (record: AdminRecord) => adminHref.edit(resource.name, record.id),
) {
  const refusal = useRefusal();
  if (resource.permissions.edit === undefined) return null;
  const reasonFor = (record: AdminRecord) =>
    refusal(resource, 'edit') ?? unmetNeed(resource.hints.edit ?? {}, record);
  return {
    /** Returns the form's address; undefined if this record can't be edited. */
    hrefOf: (record: AdminRecord) => (reasonFor(record) === undefined ? editHref(record) : undefined),
    actionsOf(record: AdminRecord): MenuEntry[] {
      const disabledReason = reasonFor(record);
      return [
        {
          id: 'edit',
          label: 'Edit',
          icon: <PencilIcon />,
          href: editHref(record),
          ...(disabledReason === undefined ? {} : { disabledReason }),
        },
      ];
    },
  };
}
