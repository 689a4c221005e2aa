import { useQuery } from '@tanstack/react-query';
import type { Container, CvmDetail } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { Panel } from '../../ui/layout/Panel';
import { type } from '../../ui/theme';
import { useCvm, useCvmAddress, useCvmLink } from './address';
import { containerName } from './containerName';
import { isUp } from './cvmState';
import { compositionOptions } from './queries';

const columns: Column<Container>[] = [
  { id: 'name', header: 'Name', cell: containerName },
  {
    id: 'state',
    header: 'State',
    width: 130,
    cell: ({ state, status }) => <StatusChip quiet status={state} title={status} />,
  },
  {
    id: 'image',
    header: 'Image',
    phone: 'meta',
    cell: ({ image, image_id }) => (
      <span style={type.mono} title={`${image}\n${image_id}`}>
        {image}
      </span>
    ),
  },
  { id: 'status', header: 'Since', width: 170, priority: 2, phone: 'meta', cell: ({ status }) => status },
];

/** The containers inside, and why there is none to show when that is so. */
export function Containers() {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const up = isUp(cvm);
  const { data, error, refetch } = useQuery({
    ...compositionOptions(teamSlug, vmUuid),
    refetchInterval: up ? 10_000 : false,
  });
  const rows = data === undefined ? undefined : (data.containers ?? []);
  return (
    <Panel title="Containers">
      {data?.simulated && (
        <Notice tone="simulated" title="Simulated">
          No Docker engine answers on the local teepod, so these containers are imitations: nothing of your
          images runs.
        </Notice>
      )}
      <DataTable
        id="cvm-containers"
        label={rows?.length === 1 ? 'container' : 'containers'}
        columns={columns}
        rows={rows}
        rowId={(container) => container.id}
        rowName={containerName}
        rowHref={(container) => link('logs', { source: containerName(container) })}
        problem={data ? null : problemOf(error, 'The containers could not be read', () => void refetch())}
        skeletonRows={2}
        empty={<EmptyState>{whyNone(cvm, data?.error ?? null)}</EmptyState>}
      />
    </Panel>
  );
}

export function whyNone(
  cvm: Pick<CvmDetail, 'status' | 'in_progress' | 'public_sysinfo'>,
  error: string | null,
): string {
  if (error !== null) return error;
  if (cvm.status === 'stopped') return 'The CVM is stopped: no container runs.';
  if (cvm.in_progress) return 'The containers appear here as soon as the guest has started them.';
  if (cvm.status === 'error') return 'The CVM did not come up; its serial console may say why.';
  return 'The guest reports no container.';
}
