import { LinkButton } from '../../../ui/controls/Button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { RecycledCvm } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import { formatGb } from '../../../lib/cvms/sizes';
import { counted } from '../../../lib/texts/count';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { StatusChip } from '../../../ui/feedback/StatusChip';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { recycleBinOptions } from './queries';

const RestoreDialog = lazyWithRetry(() =>
  import('./RecycleDialogs').then((m) => ({ default: m.RestoreDialog })),
);
const PurgeDialog = lazyWithRetry(() => import('./RecycleDialogs').then((m) => ({ default: m.PurgeDialog })));

/** Summarizes what is permanently deleted when the retention ends. */
function describeLoss({ lost }: Pick<RecycledCvm, 'lost'>): string {
  return [
    `${formatGb(lost.disk_gb)} disk`,
    ...(lost.secrets.length > 0 ? [counted(lost.secrets.length, ['secret', 'secrets'])] : []),
    ...(lost.public_urls.length > 0 ? [counted(lost.public_urls.length, ['address', 'addresses'])] : []),
  ].join(', ');
}

/** Returns why the CVM can't be restored or destroyed right now. */
const fault = (cvm: RecycledCvm): string | undefined =>
  !cvm.in_progress
    ? undefined
    : cvm.status === 'deleting' && new Date(cvm.purge_at).getTime() > Date.now()
      ? 'Stopping. Try again in a moment.'
      : 'Already being destroyed.';

interface Props {
  teamSlug: string;
  /** Link back to the apps. */
  appsHref: string;
}

/** Deleted CVMs that can still be restored. */
export function RecycleBin({ teamSlug, appsHref }: Props) {
  const may = useMay('cvms.write', teamSlug);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    recycleBinOptions(teamSlug),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  const [asking, setAsking] = useState<{ what: 'restore' | 'purge'; cvm: RecycledCvm } | null>(null);
  const close = () => setAsking(null);

  const restore = (cvm: RecycledCvm) => (
    <ActionButton
      size="small"
      aria-label={`Restore ${cvm.name}`}
      reason={may.reason ?? fault(cvm)}
      onClick={() => setAsking({ what: 'restore', cvm })}
    >
      Restore…
    </ActionButton>
  );
  const columns: Column<RecycledCvm>[] = [
    { id: 'name', header: 'Name', cell: (cvm) => cvm.name },
    { id: 'restore', header: 'Restore', width: 112, phone: 'end', cell: restore },
    {
      id: 'ends',
      header: 'Destroyed',
      width: 128,
      phone: 'meta',
      cell: (cvm) =>
        cvm.in_progress ? <StatusChip status={cvm.status} quiet /> : <RelativeTime at={cvm.purge_at} />,
    },
    { id: 'lost', header: 'Will be deleted', width: 220, priority: 2, phone: 'meta', cell: describeLoss },
    {
      id: 'cost',
      header: 'Cost',
      width: 112,
      align: 'right',
      priority: 3,
      phone: 'hide',
      cell: (cvm) => <Cost usd={cvm.hourly_rate} per="hour" />,
    },
    {
      id: 'deleted',
      header: 'Deleted',
      width: 176,
      priority: 2,
      phone: 'hide',
      cell: (cvm) => (
        <>
          <RelativeTime at={cvm.deleted_at} />
          {cvm.deleted_by?.username ? ` by ${cvm.deleted_by.username}` : ''}
        </>
      ),
    },
  ];

  return (
    <>
      <DataTable
        id="recycle-bin"
        noun={['deleted CVM', 'deleted CVMs']}
        columns={columns}
        rows={rows}
        more={{ list: { hasNextPage, isFetchingNextPage, fetchNextPage }, label: 'Show more' }}
        rowId={(cvm) => cvm.id}
        rowName={(cvm) => cvm.name}
        rowActions={(cvm) => {
          const reason = may.reason ?? fault(cvm);
          return [
            {
              id: 'purge',
              label: 'Destroy now…',
              danger: true,
              ...(reason === undefined ? {} : { disabledReason: reason }),
              onSelect: () => setAsking({ what: 'purge', cvm }),
            },
          ];
        }}
        problem={problemOf(error, 'Couldn’t load the recycle bin', () => void refetch())}
        empty={
          <EmptyState
            picture="bin"
            title="The recycle bin is empty"
            action={<LinkButton href={appsHref}>All apps</LinkButton>}
          >
            Deleted CVMs stay here for 24 hours, stopped, with their disks and sealed secrets. Then they are
            destroyed.
          </EmptyState>
        }
      />
      <Suspense fallback={null}>
        {asking?.what === 'restore' && <RestoreDialog cvm={asking.cvm} teamSlug={teamSlug} onClose={close} />}
        {asking?.what === 'purge' && <PurgeDialog cvm={asking.cvm} teamSlug={teamSlug} onClose={close} />}
      </Suspense>
    </>
  );
}
