import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { App } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { formatHourly } from '../../lib/money';
import { appPath, cvmPath } from '../../lib/paths';
import { hourlyMicros } from '../../lib/spend';
import type { MenuEntry } from '../../ui/controls/MenuButton';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { LinkButton } from '../../ui/controls/LinkButton';
import { AppFilters } from './AppFilters';
import { AppStatus } from './AppStatus';
import { appsOptions, PAGE_SIZE } from './queries';
import { isFiltered, teamHomeHref, type TeamHomeSearch } from './search';

const rateOf = (app: App) => hourlyMicros(app.cvms);

function sizeOf(app: App): string {
  const types = new Set(app.cvms.map((cvm) => cvm.instance_type ?? 'custom'));
  if (types.size > 1) return 'mixed';
  return [...types][0] ?? '—';
}

/** Its CVMs change more often than the app itself. */
const changedAt = (app: App) =>
  app.cvms.reduce((latest, cvm) => (cvm.updated_at > latest ? cvm.updated_at : latest), app.created_at);

const columns: Column<App>[] = [
  { id: 'name', header: 'Name', cell: (app) => app.name },
  { id: 'status', header: 'Status', width: 220, phone: 'end', cell: (app) => <AppStatus app={app} /> },
  {
    id: 'cvms',
    header: 'CVMs',
    width: 72,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: (app) => app.cvm_count,
  },
  { id: 'size', header: 'Size', width: 120, priority: 2, phone: 'meta', cell: sizeOf },
  {
    id: 'cost',
    header: 'Cost per hour',
    width: 124,
    align: 'right',
    phone: 'meta',
    cell: (app) => (rateOf(app) === 0 ? '—' : formatHourly(rateOf(app))),
  },
  {
    id: 'updated',
    header: 'Changed',
    width: 120,
    priority: 2,
    phone: 'meta',
    cell: (app) => <RelativeTime at={changedAt(app)} />,
  },
];

interface Props {
  teamSlug: string;
  search: TeamHomeSearch;
  /** The address of the page. */
  base: string;
  /** Where an empty list leads; absent for those who may not deploy. */
  deployHref?: string;
}

/** The team's apps; which ones, is in the address. */
export function AppsTable({ teamSlug, search, base, deployHref }: Props) {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...appsOptions(teamSlug, search),
    placeholderData: keepPreviousData,
  });
  const page = search.page ?? 1;
  const to = (other: number) => teamHomeHref(base, { ...search, page: other });

  return (
    <DataTable
      id="apps"
      label={data?.total === 1 ? 'app' : 'apps'}
      columns={columns}
      rows={data?.dstack_apps}
      rowId={(app) => app.app_id}
      rowName={(app) => app.name}
      rowHref={(app) => appPath(teamSlug, app.app_id)}
      rowActions={(app) => actions(app, teamSlug)}
      refreshing={isPlaceholderData}
      problem={problemOf(error, 'The apps could not be loaded', () => void refetch())}
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
            title="No app fits"
            action={<LinkButton href={teamHomeHref(base, {})}>Show all apps</LinkButton>}
          >
            Search looks in names, app ids, CVM ids and instance ids.
          </EmptyState>
        ) : (
          <EmptyState
            title="No apps"
            {...(deployHref === undefined
              ? {}
              : { action: <LinkButton href={deployHref}>Deploy</LinkButton> })}
          >
            An app appears here when it is deployed, and leaves when its last CVM is deleted.
          </EmptyState>
        )
      }
    />
  );
}

function actions(app: App, teamSlug: string): MenuEntry[] {
  const uuid = app.current_cvm?.vm_uuid;
  return [
    { id: 'open', label: 'Open app', href: appPath(teamSlug, app.app_id) },
    ...(uuid
      ? [
          { id: 'logs', label: 'Logs', href: cvmPath(teamSlug, uuid, 'logs') },
          { id: 'compose', label: 'Compose and secrets', href: cvmPath(teamSlug, uuid, 'compose') },
        ]
      : []),
  ];
}
