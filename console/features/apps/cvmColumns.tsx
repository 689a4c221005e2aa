import type { Cvm } from '../../../generated/api/types.gen';
import { formatHourly } from '../../lib/billing/money';
import { currentMicros } from '../../lib/billing/spend';
import { stepText } from '../../lib/cvms/steps';
import { showOperationText } from '../../lib/texts/operationTexts';
import type { Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { StatusChip } from '../../ui/feedback/StatusChip';

export const cvmColumns: Column<Cvm>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (cvm) => cvm.name },
  {
    id: 'status',
    header: 'Status',
    sort: 'status',
    width: 200,
    phone: 'end',
    cell: (cvm) => (
      <StatusChip
        quiet
        status={cvm.status}
        {...(cvm.in_progress && cvm.operation?.step ? { detail: stepText(cvm.operation.step) } : {})}
        {...(cvm.status_reason === null
          ? {}
          : { title: showOperationText(cvm.status_reason_keys, cvm.status_reason) })}
      />
    ),
  },
  {
    id: 'size',
    header: 'Size',
    width: 120,
    priority: 2,
    phone: 'meta',
    cell: (cvm) => cvm.instance_type ?? 'custom',
  },
  {
    id: 'revision',
    header: 'Revision',
    sort: 'revision',
    width: 84,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: (cvm) => cvm.revision_number ?? '—',
  },
  {
    id: 'host',
    header: 'Host',
    sort: 'host',
    width: 140,
    priority: 3,
    phone: 'hide',
    cell: (cvm) => cvm.teepod?.name ?? '—',
  },
  {
    id: 'rate',
    header: 'Cost per hour',
    sort: 'rate',
    width: 124,
    align: 'right',
    phone: 'meta',
    cell: (cvm) => formatHourly(currentMicros(cvm)),
  },
  {
    id: 'created',
    header: 'Created',
    sort: 'created',
    width: 104,
    priority: 3,
    phone: 'hide',
    defaultHidden: true,
    cell: (cvm) => <RelativeTime at={cvm.created_at} />,
  },
  {
    id: 'updated',
    header: 'Changed',
    sort: 'updated',
    width: 112,
    priority: 2,
    phone: 'meta',
    cell: (cvm) => <RelativeTime at={cvm.updated_at} />,
  },
];
