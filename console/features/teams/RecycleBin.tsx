import Button from '@mui/material/Button';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecycledCvm } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { formatGb } from '../../lib/sizes';
import { LinkButton } from '../../ui/controls/LinkButton';
import { ShutButton } from '../../ui/controls/ShutButton';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PurgeDialog, RestoreDialog } from './RecycleDialogs';
import { recycleBinOptions } from './queries';

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What is lost for good when the time is over, in one line. */
export function lossOf({ lost }: Pick<RecycledCvm, 'lost'>): string {
  return [
    `${formatGb(lost.disk_gb)} disk`,
    ...(lost.secrets.length > 0 ? [plural(lost.secrets.length, 'secret')] : []),
    ...(lost.public_urls.length > 0 ? [plural(lost.public_urls.length, 'address', 'addresses')] : []),
  ].join(', ');
}

/** Why nothing can be done with it now. */
const fault = (cvm: RecycledCvm): string | undefined =>
  !cvm.in_progress
    ? undefined
    : cvm.status === 'deleting' && new Date(cvm.purge_at).getTime() > Date.now()
      ? 'It is still being stopped.'
      : 'It is being destroyed.';

interface Props {
  teamSlug: string;
  /** Back to the apps. */
  appsHref: string;
}

/** Deleted CVMs that can be restored, and until when. */
export function RecycleBin({ teamSlug, appsHref }: Props) {
  const may = useMay('cvms.write', teamSlug);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    recycleBinOptions(teamSlug),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  const [asking, setAsking] = useState<{ what: 'restore' | 'purge'; cvm: RecycledCvm } | null>(null);
  const close = () => setAsking(null);

  const restore = (cvm: RecycledCvm) => {
    const reason = may.reason ?? fault(cvm);
    const label = `Restore ${cvm.name}`;
    if (reason !== undefined)
      return (
        <ShutButton size="small" reason={reason} aria-label={label}>
          Restore…
        </ShutButton>
      );
    return (
      <Button size="small" aria-label={label} onClick={() => setAsking({ what: 'restore', cvm })}>
        Restore…
      </Button>
    );
  };
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
    { id: 'lost', header: 'Lost then', width: 220, priority: 2, phone: 'meta', cell: lossOf },
    {
      id: 'cost',
      header: 'Kept for',
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
        label={rows?.length === 1 ? 'deleted CVM' : 'deleted CVMs'}
        columns={columns}
        rows={rows}
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
        problem={problemOf(error, 'The recycle bin could not be loaded', () => void refetch())}
        empty={
          <EmptyState
            title="The recycle bin is empty"
            action={<LinkButton href={appsHref}>All apps</LinkButton>}
          >
            A deleted CVM lies here for 24 hours, stopped, with its disk and its sealed secrets. Then they are
            destroyed.
          </EmptyState>
        }
      />
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          Show more
        </Button>
      )}
      {asking?.what === 'restore' && <RestoreDialog cvm={asking.cvm} teamSlug={teamSlug} onClose={close} />}
      {asking?.what === 'purge' && <PurgeDialog cvm={asking.cvm} teamSlug={teamSlug} onClose={close} />}
    </>
  );
}
