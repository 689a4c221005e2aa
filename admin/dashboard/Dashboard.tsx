import { styled } from '@mui/material/styles';
import { useGetList } from 'react-admin';
import type {
  AdminKms,
  AdminKmsContract,
  AdminMonitoringEvent,
  AdminNode,
  AdminTeepod,
} from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { space } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { findResource } from '../schema/resources';
import { useSession } from '../session';
import { capacityOf, concernsOf, concernsOfKeys } from './attention';
import { Capacity } from './Capacity';
import { Concerns } from './Concerns';
import { Fleet } from './Fleet';
import { Reports } from './Reports';
import { Spend } from './Spend';
import { useServiceConcerns } from './useService';

/** The largest page the API gives; a larger fleet says so instead of summing a part of it in silence. */
const MOST = 1000;
const REPORTS = 5;
const KEYS = 100;

/** Asked again while somebody looks. */
const AGAIN_MS = 15_000;

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
  gap: space(6),
  alignItems: 'start',
  '& > * + *': { marginTop: 0 },
});

/** Is the fleet all right, how full is it, and what needs a person? */
export function Dashboard() {
  useCrumbs([{ label: 'Overview' }]);
  const { platform_permissions } = useSession();
  const may = (resource: string) =>
    platform_permissions.includes(findResource(resource)?.permissions.list ?? 'no such resource');
  const again = { refetchInterval: AGAIN_MS, onError: () => undefined };
  const all = { pagination: { page: 1, perPage: MOST }, sort: { field: 'name', order: 'ASC' as const } };
  const nodes = useGetList<AdminNode>('nodes', all, { ...again, enabled: may('nodes') });
  const teepods = useGetList<AdminTeepod>('teepods', all, { ...again, enabled: may('teepods') });
  const ill = {
    pagination: { page: 1, perPage: KEYS },
    sort: { field: 'id', order: 'ASC' as const },
    filter: { health: ['alarm', 'unreachable'] },
  };
  const kms = useGetList<AdminKms>('kms', ill, { ...again, enabled: may('kms') });
  const contracts = useGetList<AdminKmsContract>('kms-contracts', ill, {
    ...again,
    enabled: may('kms-contracts'),
  });
  const reports = useGetList<AdminMonitoringEvent>(
    'monitoring-events',
    { pagination: { page: 1, perPage: REPORTS }, sort: { field: 'received_at', order: 'DESC' } },
    { ...again, enabled: may('monitoring-events') },
  );
  const error = nodes.error ?? teepods.error ?? reports.error;
  const hosts = teepods.data;
  const machines = nodes.data;
  const service = useServiceConcerns(
    { teepods: hosts ?? [], nodes: machines ?? [] },
    { enabled: may('drains'), every: AGAIN_MS },
  );
  const seesFleet = may('nodes') && may('teepods');
  if (seesFleet && !error && (!hosts || !machines))
    return <PageSkeleton label="Overview" cards={2} rows={4} />;
  return (
    <>
      <PageHeader title="Overview" subtitle="The fleet as it is now." />
      {error && (
        <ErrorNotice
          problem={problemOf(error, 'The overview is not complete', () => {
            void nodes.refetch();
            void teepods.refetch();
            void reports.refetch();
          })}
        />
      )}
      {hosts && machines && (
        <>
          <Concerns
            concerns={[
              ...concernsOfKeys(kms.data ?? [], contracts.data ?? []),
              ...service,
              ...concernsOf(hosts, machines),
            ]}
          />
          <Grid>
            <Fleet nodes={machines} teepods={hosts} />
            <Capacity
              parts={capacityOf(hosts)}
              hosts={hosts}
              {...((teepods.total ?? 0) > MOST ? { first: MOST } : {})}
            />
          </Grid>
        </>
      )}
      {may('usage') && <Spend />}
      {reports.data && <Reports reports={reports.data} total={reports.total ?? 0} />}
    </>
  );
}
