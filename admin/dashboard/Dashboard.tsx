import styled from '@emotion/styled';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { space } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { problemOf } from '../http';
import { getResource } from '../schema/resources';
import { useRefusal } from '../session';
import { Alerts } from './Alerts';
import { Capacity } from './Capacity';
import { Concerns } from './Concerns';
import { Fleet } from './Fleet';
import { capacityOf } from './fleetCapacity';
import { Queues } from './Queues';
import { Reports } from './Reports';
import { Spend } from './Spend';
import { REFRESH_MS, useOverview } from './useOverview';

const Grid = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 400px), 1fr))',
  gap: space(6),
  '&& > * + *': { marginTop: 0 },
  // Panels side by side end at the same height, and their contents stretch.
  '& > section': { display: 'flex', flexDirection: 'column' },
  '& > section > :last-child': { flex: 1, display: 'flex', flexDirection: 'column' },
});

const Below = styled('div')({ margin: `${space(6)} 0` });

/** Fleet health, capacity, alerts, queues, spend and error reports. */
export function Dashboard() {
  useCrumbs([{ label: 'Overview' }]);
  const refusal = useRefusal();
  const { may, seesFleet, nodes, teepods, first, reports, error, ...overview } = useOverview();
  if (overview.isLoading) return <PageSkeleton label="Overview" cards={2} rows={4} />;
  return (
    <>
      <PageHeader
        title="Overview"
        subtitle={seesFleet ? 'Current state of the fleet.' : 'What needs attention, and current spend.'}
      />
      {error !== null && (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load parts of the overview', overview.refetch)} />
      )}
      {overview.seesConcerns && (
        <Concerns
          concerns={overview.concerns}
          complete={!error}
          seesFleet={seesFleet}
          seesOperations={may('instance-events')}
        />
      )}
      {teepods && nodes && (
        <Grid>
          <Fleet
            nodes={nodes}
            teepods={teepods}
            seesCvms={may('cvms')}
            addsTeepods={refusal(getResource('teepods'), 'create') === undefined}
            every={REFRESH_MS}
            first={first}
          />
          <Capacity parts={capacityOf(teepods)} hosts={teepods} first={first} />
        </Grid>
      )}
      {may('alerts') && may('queue-workers') && (
        <Below>
          <Grid>
            <Alerts every={REFRESH_MS} />
            <Queues every={REFRESH_MS} />
          </Grid>
        </Below>
      )}
      {may('usage') && <Spend />}
      {reports.data && <Reports reports={reports.data} total={reports.total ?? 0} />}
    </>
  );
}
