import { Suspense, useEffect, useEffectEvent } from 'react';
import { LinkButton } from '../../../ui/controls/Button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { appPath } from '../../../lib/paths';
import { verbPermission } from '../../../lib/cvms/verbs';
import { counted } from '../../../lib/texts/count';
import { DataTable } from '../../../ui/data/DataTable';
import { useSelectedRows } from '../../../ui/data/useSelectedRows';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { AppFilters } from './AppFilters';
import { appActions, bulkActions, type MayAct } from './appActions';
import { appColumns } from './appColumns';
import { appsOptions, PAGE_SIZE } from './queries';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { isFiltered, teamHomeHref, type AppSort, type TeamHomeSearch } from './search';

const SelectionBar = lazyWithRetry(() =>
  import('../../../ui/data/SelectionBar').then((m) => ({ default: m.SelectionBar })),
);

interface Props {
  teamSlug: string;
  search: TeamHomeSearch;
  /** Address of the page. */
  base: string;
  /** Link of the empty list; absent for users who can't deploy. */
  deployHref?: string;
}

/** The team's apps, filtered and sorted by the address. */
export function AppsTable({ teamSlug, search, base, deployHref }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...appsOptions(teamSlug, search),
    placeholderData: keepPreviousData,
  });
  const page = search.page ?? 1;
  const navigate = useNavigate();
  const operate = useMay(verbPermission('stop'), teamSlug);
  const change = useMay(verbPermission('delete'), teamSlug);
  const may: MayAct = { start: operate, stop: operate, restart: operate, delete: change };
  const rows = data?.dstack_apps;
  const { selection, chosen, clear } = useSelectedRows(rows ?? [], (app) => app.app_id);
  const to = (other: number) => teamHomeHref(base, { ...search, page: other });
  // Deleting the last apps of the last page would leave it without rows.
  const last = data && !isPlaceholderData ? Math.max(1, data.total_pages) : page;
  const turnBack = useEffectEvent(() => void navigate({ href: to(last), replace: true }));
  useEffect(() => {
    if (page > last) turnBack();
  }, [page, last]);

  return (
    <>
      <DataTable
        id="apps"
        noun={['app', 'apps']}
        columns={appColumns}
        rows={rows}
        rowId={(app) => app.app_id}
        rowName={(app) => app.name}
        rowHref={(app) => appPath(teamSlug, app.app_id)}
        rowActions={(app) => appActions(app, teamSlug, may)}
        {...(operate.allowed ? { selection } : {})}
        sort={{
          by: search.sort ?? 'created_at',
          descending: search.sort === undefined || search.order === 'desc',
        }}
        onSort={({ by, descending }) => {
          const sorted: TeamHomeSearch = {
            ...search,
            page: undefined,
            sort: by as AppSort,
            order: descending ? 'desc' : undefined,
          };
          void navigate({ href: teamHomeHref(base, sorted), resetScroll: false });
        }}
        refreshing={isPlaceholderData}
        problem={problemOf(error, 'Couldn’t load the apps', () => void refetch())}
        filters={<AppFilters base={base} search={search} />}
        {...(data
          ? {
              paging: {
                offset: (data.page - 1) * PAGE_SIZE,
                total: data.total,
                ...(page > 1 ? { previous: to(page - 1) } : {}),
                ...(page < data.total_pages ? { next: to(page + 1) } : {}),
              },
            }
          : {})}
        empty={
          isFiltered(search) ? (
            <EmptyState
              picture="search"
              title="No matches"
              action={<LinkButton href={teamHomeHref(base, {})}>Show all apps</LinkButton>}
            >
              The search covers names, app IDs, CVM IDs and instance IDs.
            </EmptyState>
          ) : (
            <EmptyState
              picture="apps"
              title="No apps"
              {...(deployHref === undefined
                ? {}
                : { action: <LinkButton href={deployHref}>Deploy</LinkButton> })}
            >
              Deploy an app to see it here. It stays listed until its last CVM is deleted.
            </EmptyState>
          )
        }
      />
      {chosen.length > 0 && (
        <Suspense>
          <SelectionBar
            text={`${counted(chosen.length, ['app', 'apps'])} selected`}
            actions={bulkActions(chosen, teamSlug, may, clear)}
            onClear={clear}
          />
        </Suspense>
      )}
    </>
  );
}
