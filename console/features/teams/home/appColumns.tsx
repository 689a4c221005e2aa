import type { ReactNode } from 'react';
import type { App } from '../../../../generated/api/types.gen';
import { hasMoreCvms } from '../../../lib/apps/moreCvms';
import { formatHourly } from '../../../lib/billing/money';
import { hourlyMicros } from '../../../lib/billing/spend';
import type { Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { AppStatus } from './AppStatus';
import type { AppSort } from './search';

/** Exact, unless the app has more CVMs than the list includes. */
function costOf(app: App): ReactNode {
  const micros = hourlyMicros(app.cvms);
  const isPart = hasMoreCvms(app);
  if (micros === 0 && !isPart) return <span data-nothing="">—</span>;
  return `${isPart ? '≥ ' : ''}${formatHourly(micros)}`;
}

function sizeOf(app: App): string {
  const types = new Set(app.cvms.map((cvm) => cvm.instance_type ?? 'custom'));
  if (types.size > 1) return 'mixed';
  return [...types][0] ?? '—';
}

/** Latest update of the app or any of its CVMs, which change more often. */
const changedAt = (app: App) =>
  app.cvms.reduce((latest, cvm) => (cvm.updated_at > latest ? cvm.updated_at : latest), app.created_at);

export const appColumns: (Column<App> & { sort?: AppSort })[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (app) => app.name },
  {
    id: 'status',
    header: 'Status',
    sort: 'status',
    width: 220,
    // The two chips of a local teepod don't fit beside the name.
    phone: 'meta',
    cell: (app) => <AppStatus app={app} />,
  },
  {
    id: 'cvms',
    header: 'CVMs',
    sort: 'cvm_count',
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
    sort: 'hourly_cost',
    width: 124,
    align: 'right',
    phone: 'meta',
    cell: costOf,
  },
  {
    id: 'created',
    header: 'Created',
    sort: 'created_at',
    width: 104,
    priority: 3,
    phone: 'hide',
    cell: (app) => <RelativeTime at={app.created_at} />,
  },
  {
    id: 'updated',
    header: 'Updated',
    sort: 'updated_at',
    width: 120,
    priority: 2,
    phone: 'hide',
    cell: (app) => <RelativeTime at={changedAt(app)} />,
  },
];
