import AddRounded from '@mui/icons-material/AddRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cvm } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay, useMayDeploy } from '../../api/session';
import { formatHourly, parseMicros } from '../../lib/money';
import { appCvmPath } from '../../lib/paths';
import { ShutButton } from '../../ui/controls/ShutButton';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { space } from '../../ui/theme';
import { CvmActionDialog } from './CvmActionDialog';
import { cvmActions, type CvmAction } from './cvmActions';
import { Part } from './Part';
import { ScaleInDialog, ScaleOutDialog } from './ScaleDialogs';
import { appCvmsOptions } from './queries';

const Head = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(3) });

const columns: Column<Cvm>[] = [
  { id: 'name', header: 'Name', cell: (cvm) => cvm.name },
  {
    id: 'status',
    header: 'Status',
    width: 200,
    phone: 'end',
    cell: (cvm) => (
      <StatusChip
        quiet
        status={cvm.status}
        {...(cvm.in_progress && cvm.operation?.step
          ? { detail: cvm.operation.step.replaceAll('_', ' ') }
          : {})}
        {...(cvm.status_reason === null ? {} : { title: cvm.status_reason })}
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
    width: 84,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: (cvm) => cvm.revision_number ?? '—',
  },
  {
    id: 'host',
    header: 'Host',
    width: 140,
    priority: 3,
    phone: 'hide',
    cell: (cvm) => cvm.teepod?.name ?? '—',
  },
  { id: 'rate', header: 'Cost per hour', width: 124, align: 'right', phone: 'meta', cell: rateOf },
  {
    id: 'updated',
    header: 'Changed',
    width: 112,
    priority: 2,
    phone: 'meta',
    cell: (cvm) => <RelativeTime at={cvm.updated_at} />,
  },
];

function rateOf(cvm: Cvm): string {
  const micros = cvm.hourly_rate === null ? null : parseMicros(cvm.hourly_rate);
  return micros === null ? '—' : formatHourly(micros);
}

/** The app's CVMs with what can be done to each. */
export function CvmsTable({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data, error, refetch } = useQuery(appCvmsOptions(teamSlug, appId));
  const may = useMayDeploy(teamSlug);
  const change = useMay('cvms.write', teamSlug);
  const [scaling, setScaling] = useState(false);
  const source = data?.find((cvm) => cvm.status === 'running') ?? data?.[0];
  const shut = may.reason ?? (source ? undefined : 'No CVM is left to copy.');
  const [asked, setAsked] = useState<{ action: CvmAction; cvm: Cvm } | null>(null);
  return (
    <>
      <Part title="Replicas">
        {(heading) => (
          <DataTable
            id="app-cvms"
            filters={
              <Head>
                {heading}
                {shut === undefined ? (
                  <Button size="small" startIcon={<AddRounded />} onClick={() => setScaling(true)}>
                    Scale out…
                  </Button>
                ) : (
                  <ShutButton size="small" startIcon={<AddRounded />} reason={shut}>
                    Scale out…
                  </ShutButton>
                )}
              </Head>
            }
            label={data?.length === 1 ? 'CVM' : 'CVMs'}
            columns={columns}
            rows={data}
            rowId={(cvm) => cvm.id}
            rowName={(cvm) => cvm.name}
            rowHref={(cvm) => (cvm.vm_uuid === null ? '' : appCvmPath(teamSlug, appId, cvm.vm_uuid))}
            rowActions={(cvm) =>
              cvmActions(cvm, { teamSlug, appId }, change.reason, (action) => setAsked({ action, cvm }))
            }
            problem={problemOf(error, 'The CVMs could not be loaded', () => void refetch())}
            empty={
              <EmptyState title="No CVMs">
                The app’s last CVM was deleted. Deploy it again to run it.
              </EmptyState>
            }
          />
        )}
      </Part>
      {asked?.action === 'delete' ? (
        <ScaleInDialog
          teamSlug={teamSlug}
          cvm={asked.cvm}
          last={data?.length === 1}
          onClose={() => setAsked(null)}
        />
      ) : (
        asked && (
          <CvmActionDialog
            action={asked.action}
            cvm={asked.cvm}
            teamSlug={teamSlug}
            onClose={() => setAsked(null)}
          />
        )
      )}
      {scaling && source && (
        <ScaleOutDialog teamSlug={teamSlug} appId={appId} source={source} onClose={() => setScaling(false)} />
      )}
    </>
  );
}
