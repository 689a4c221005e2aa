import PlusIcon from 'lucide-react/icons/plus';
import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Cvm } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay, useMayDeploy } from '../../api/session';
import { appBlockedText } from '../../lib/apps/allowedActions';
import { appCvmPath } from '../../lib/paths';
import { ActionButton } from '../../ui/controls/ActionButton';
import { counted } from '../../lib/texts/count';
import { SelectionBar } from '../../ui/data/SelectionBar';
import { useSelectedRows } from '../../ui/data/useSelectedRows';
import { DataTable } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { space } from '../../ui/theme';
import { CvmActionDialog } from '../../shared/CvmActionDialog';
import { bulkCvmActions, cvmActions, type CvmAction } from './cvmActions';
import { cvmColumns } from './cvmColumns';
import { readCvmSort, sortCvms, withCvmSort } from './cvmSort';
import { TableSection } from './TableSection';
import { ScaleInDialog, ScaleOutDialog } from './ScaleDialogs';
import { appCvmsOptions } from './queries';
import { useAppState } from './useAppState';

const Head = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(3) });

/** The app's CVMs with their actions. */
export function CvmsTable({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data, error, refetch } = useQuery(appCvmsOptions(teamSlug, appId));
  const may = useMayDeploy(teamSlug);
  const change = useMay('cvms.write', teamSlug);
  const operate = useMay('cvms.operate', teamSlug);
  const refusals = { operate: operate.reason, change: change.reason };
  const { pathname, searchStr } = useLocation();
  const navigate = useNavigate();
  const sort = readCvmSort(searchStr);
  const rows = useMemo(() => data && sortCvms(data, readCvmSort(searchStr)), [data, searchStr]);
  const { selection, chosen, clear } = useSelectedRows(rows ?? [], (cvm) => cvm.id);
  const [scaling, setScaling] = useState(false);
  const source = data?.find((cvm) => cvm.status === 'running') ?? data?.[0];
  const appState = useAppState(teamSlug, appId);
  const refused = may.reason ?? appBlockedText('scale_out', appState);
  const [asked, setAsked] = useState<{ action: CvmAction; cvm: Cvm } | null>(null);
  return (
    <>
      <TableSection title="Replicas">
        {(heading) => (
          <DataTable
            id="app-cvms"
            filters={
              <Head>
                {heading}
                <ActionButton
                  size="small"
                  startIcon={<PlusIcon />}
                  reason={refused}
                  onClick={() => setScaling(true)}
                >
                  Scale out…
                </ActionButton>
              </Head>
            }
            noun={['CVM', 'CVMs']}
            columns={cvmColumns}
            rows={rows}
            rowId={(cvm) => cvm.id}
            rowName={(cvm) => cvm.name}
            rowHref={(cvm) => (cvm.vm_uuid === null ? '' : appCvmPath(teamSlug, appId, cvm.vm_uuid))}
            rowActions={(cvm) =>
              cvmActions(cvm, { teamSlug, appId }, refusals, (action) => setAsked({ action, cvm }))
            }
            {...(operate.allowed ? { selection } : {})}
            {...(sort ? { sort } : {})}
            onSort={(next) =>
              void navigate({ href: pathname + withCvmSort(searchStr, next), resetScroll: false })
            }
            problem={problemOf(error, 'Couldn’t load the CVMs', () => void refetch())}
            empty={
              <EmptyState picture="cvms" title="No CVMs">
                The app’s last CVM was deleted. Deploy it again to run it.
              </EmptyState>
            }
          />
        )}
      </TableSection>
      {chosen.length > 0 && (
        <SelectionBar
          text={`${counted(chosen.length, ['CVM', 'CVMs'])} selected`}
          actions={bulkCvmActions(chosen, teamSlug, refusals, clear)}
          onClear={clear}
        />
      )}
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
