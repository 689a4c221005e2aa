import { styled } from '@mui/material/styles';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Cvm } from '../../../generated/api/types.gen';
import { formatHourly, formatMonthly, parseMicros } from '../../lib/money';
import { appCvmPath } from '../../lib/paths';
import { hourlyMicros } from '../../lib/spend';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { space } from '../../ui/theme';
import { Part } from './Part';
import { appCvmsOptions } from './queries';

const Strip = styled('div')({ marginBottom: space(8) });

const micros = (cvm: Cvm) => (cvm.hourly_rate === null ? null : parseMicros(cvm.hourly_rate));
const amount = (value: number | null, format: (micros: number) => string) =>
  value === null ? '—' : format(value);

const columns: Column<Cvm>[] = [
  { id: 'name', header: 'Name', cell: (cvm) => cvm.name },
  {
    id: 'status',
    header: 'Status',
    width: 150,
    phone: 'end',
    cell: (cvm) => <StatusChip quiet status={cvm.status} />,
  },
  { id: 'size', header: 'Size', width: 140, priority: 2, cell: (cvm) => cvm.instance_type ?? 'custom' },
  {
    id: 'hour',
    header: 'Running, per hour',
    width: 150,
    align: 'right',
    phone: 'meta',
    cell: (cvm) => amount(micros(cvm), formatHourly),
  },
  {
    id: 'month',
    header: 'All month',
    width: 130,
    align: 'right',
    phone: 'meta',
    cell: (cvm) => amount(micros(cvm), formatMonthly),
  },
];

/** What it uses and costs, by CVM. */
export function UsagePage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const hourly = hourlyMicros(cvms);
  const sum = (of: (cvm: Cvm) => number | null) => cvms.reduce((total, cvm) => total + (of(cvm) ?? 0), 0);
  return (
    <>
      <Strip>
        <KeyValue
          facts={[
            { label: 'Spend now', value: formatHourly(hourly) },
            { label: 'If it stays so', value: formatMonthly(hourly) },
            { label: 'vCPU', value: sum((cvm) => cvm.resource.vcpu) },
            { label: 'Memory', value: `${sum((cvm) => cvm.resource.memory_in_gb)} GB` },
            { label: 'Disk', value: `${sum((cvm) => cvm.resource.disk_in_gb)} GB` },
          ]}
        />
      </Strip>
      <Part title="By CVM">
        {(heading) => (
          <DataTable
            id="app-usage"
            filters={heading}
            label={cvms.length === 1 ? 'CVM' : 'CVMs'}
            columns={columns}
            rows={cvms}
            rowId={(cvm) => cvm.id}
            rowName={(cvm) => cvm.name}
            rowHref={(cvm) => (cvm.vm_uuid === null ? '' : appCvmPath(teamSlug, appId, cvm.vm_uuid, 'usage'))}
            empty={<EmptyState>No CVM of it is left, so nothing is used.</EmptyState>}
          />
        )}
      </Part>
    </>
  );
}
