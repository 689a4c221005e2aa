import { isPageHidden } from '../../../ui/brand/installation';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import type { GpuProduct, InstanceType } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { GPU_NEVER_CHECKED } from '../../../lib/attestation/gpu/gpuUnchecked';
import { PUBLIC_PATHS } from '../../../lib/public/site';
import { formatGb, formatMb, typeName } from '../../../lib/cvms/sizes';
import { productsOptions } from '../../../shared/orderProducts';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { KeyValue } from '../../../ui/data/KeyValue';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Panel } from '../../../ui/layout/Panel';
import { Sections } from '../../../ui/layout/Sections';
import { color, space, type } from '../../../ui/theme';
import type { Start } from '../launch/search';
import { GpuReservations } from './GpuReservations';
import { SizeWaitPanel } from './SizeWaitPanel';
import { useGpuOffer, type GpuOffer } from './useGpuOffer';

const Text = styled('p')({ ...type.body, color: color.muted, margin: `0 0 ${space(3)}`, maxWidth: '68ch' });
interface Props {
  teamSlug: string;
  /** Fills in the deploy form and opens it. */
  onStart: (start: Start) => void;
}

/** The GPUs available to the team, their prices, and what their attestation covers. */
export function GpuTeePage({ teamSlug, onStart }: Props) {
  const offer = useGpuOffer(teamSlug);
  const mayReadPrices = useMay('billing.read', teamSlug).allowed;
  const reservations = useQuery({ ...productsOptions(teamSlug), enabled: mayReadPrices });
  const header = <PageHeader title="GPU TEE" subtitle="GPUs in confidential mode for this team’s apps" />;
  // Shown together, so that no list moves when another one's data arrives.
  if (offer.isLoading || reservations.isLoading)
    return (
      <>
        {header}
        <RowsSkeleton />
      </>
    );
  return (
    <>
      {header}
      <Sections>
        <FreeGpus offer={offer} />
        <SizesAndPrices offer={offer} onStart={onStart} />
        {mayReadPrices && <GpuReservations teamSlug={teamSlug} query={reservations} />}
        {offer.mayDeploy && offer.counts.length > 0 && (
          <SizeWaitPanel teamSlug={teamSlug} counts={offer.counts} />
        )}
        <Coverage />
      </Sections>
    </>
  );
}

const products: Column<GpuProduct>[] = [
  {
    id: 'name',
    header: 'GPU',
    cell: ({ display_name, product_id }) => display_name ?? product_id,
  },
  { id: 'free', header: 'Free now', width: 112, align: 'right', phone: 'end', cell: ({ count }) => count },
];

function FreeGpus({ offer: { gpus, gpuProblem } }: { offer: GpuOffer }) {
  return (
    <Panel title="Free GPUs" subtitle="On the hosts this team can use. Updated while the page is open.">
      <DataTable
        id="free-gpus"
        noun={['GPU model', 'GPU models']}
        columns={products}
        rows={gpus?.available_by_product}
        rowId={({ product_id }) => product_id}
        rowName={({ display_name, product_id }) => display_name ?? product_id}
        problem={gpuProblem}
        empty={
          <EmptyState picture="gpu" title="No free GPUs">
            The hosts this team can use have no GPUs, or all are in use. An administrator can reserve GPUs for
            the team.
          </EmptyState>
        }
      />
      {gpus?.has_reserved_gpus && (
        <Text>{`${gpus.reserved_gpu_count} of them ${gpus.reserved_gpu_count === 1 ? 'is' : 'are'} reserved for this team.`}</Text>
      )}
    </Panel>
  );
}

const specs: Column<InstanceType>[] = [
  { id: 'name', header: 'Size', cell: typeName },
  {
    id: 'gpus',
    header: 'GPUs',
    width: 80,
    align: 'right',
    phone: 'meta',
    labelled: true,
    cell: ({ gpu_count }) => gpu_count,
  },
  {
    id: 'specs',
    header: 'CPU, memory, disk',
    phone: 'meta',
    cell: ({ vcpu, memory_mb, default_disk_size_gb }) =>
      `${vcpu} vCPU · ${formatMb(memory_mb)} · ${formatGb(default_disk_size_gb)} disk`,
  },
  {
    id: 'price',
    header: 'Price',
    width: 128,
    align: 'right',
    phone: 'end',
    cell: ({ hourly_rate }) => <Cost usd={hourly_rate} per="hour" />,
  },
];

interface SizesProps extends Pick<Props, 'onStart'> {
  offer: GpuOffer;
}

function SizesAndPrices({ offer: { sizes, sizeProblem, refusalOf }, onStart }: SizesProps) {
  const columns: Column<InstanceType>[] = [
    ...specs,
    {
      id: 'deploy',
      header: 'Deploy',
      width: 128,
      align: 'right',
      phone: 'meta',
      cell: (size) => (
        <ActionButton
          aria-label={`Deploy ${typeName(size)}`}
          reason={refusalOf(size)}
          onClick={() => onStart({ compose: '', size: size.id })}
        >
          Deploy
        </ActionButton>
      ),
    },
  ];
  return (
    <Panel title="Sizes and prices" subtitle="Billed per second while the app runs.">
      <DataTable
        id="gpu-sizes"
        noun={['size', 'sizes']}
        columns={columns}
        rows={sizes}
        rowId={({ id }) => id}
        rowName={typeName}
        problem={sizeProblem}
        empty={
          <EmptyState picture="gpu" title="No GPU sizes">
            This cloud doesn’t offer any GPU sizes right now.
          </EmptyState>
        }
      />
    </Panel>
  );
}

function Coverage() {
  return (
    <Panel title="What attestation covers">
      <KeyValue
        facts={[
          {
            label: 'CPU',
            value:
              'Firmware, OS image and Compose file, signed by the processor and verified in your browser.',
            wide: true,
          },
          {
            label: 'GPU',
            value: `The app’s verification report lists where the evidence names a GPU. If the evidence includes NVIDIA’s report, your browser verifies its signature and certificates. Not checked: ${GPU_NEVER_CHECKED.join('; ')}.`,
            wide: true,
          },
        ]}
      />
      {!isPageHidden(PUBLIC_PATHS.gpu) && (
        <Text>
          <a href={PUBLIC_PATHS.gpu}>More about confidential GPUs</a>
        </Text>
      )}
    </Panel>
  );
}
