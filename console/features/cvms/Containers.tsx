import { useQuery } from '@tanstack/react-query';
import type { Container, CvmDetail } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
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
  { id: 'status', header: 'Since', width: 200, priority: 2, phone: 'meta', cell: ({ status }) => status },
];

/** The CVM's containers, or why none can be shown. */
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
      {cvm.simulated ? (
        <Notice tone="simulated" title="Simulated">
          The local teepod has no Docker engine, so these containers are simulated. Your images aren’t
          running.
        </Notice>
      ) : (
        up &&
        cvm.trust === 'simulated' && (
          <Notice tone="simulated" title="Not in a TEE">
            These containers run in the local teepod’s Docker engine, outside a TEE. The machine’s
            administrators can read them.
          </Notice>
        )
      )}
      <DataTable
        id="cvm-containers"
        noun={['container', 'containers']}
        columns={columns}
        rows={rows}
        rowId={(container) => container.id}
        rowName={containerName}
        rowHref={(container) => link('logs', { source: containerName(container) })}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load the containers')}
        skeletonRows={2}
        empty={<EmptyState>{whyNone(cvm, data?.error ?? null)}</EmptyState>}
      />
    </Panel>
  );
}

function whyNone(
  cvm: Pick<CvmDetail, 'status' | 'in_progress' | 'public_sysinfo'>,
  error: string | null,
): string {
  if (error !== null) return error;
  if (cvm.status === 'stopped') return 'The CVM is stopped, so no containers are running.';
  if (cvm.status === 'lost') return 'The CVM is lost, so its containers are unknown.';
  if (cvm.in_progress) return 'Containers appear here once the guest starts them.';
  if (cvm.status === 'error') return 'The CVM failed to boot, so no containers are running.';
  return 'The guest reports no containers.';
}
