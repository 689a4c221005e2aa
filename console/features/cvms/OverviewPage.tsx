import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { recentItems } from '../../lib/activity/recentItems';
import { cvmProblem } from '../../lib/cvms/cvmProblem';
import { formatMicros } from '../../lib/billing/money';
import { ratesOf } from '../../lib/billing/spend';
import { Cost } from '../../ui/data/Cost';
import { EventList } from '../../ui/data/EventList';
import { Elapsed } from '../../ui/data/RelativeTime';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { KeepFocus } from '../../ui/KeepFocus';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { TextLink } from '../../ui/link';
import { useCvmAddress, useCvmLink } from './address';
import { Containers } from './Containers';
import { formatSize } from './CvmAside';
import { runningSince } from './cvmState';
import { Endpoints } from './Endpoints';
import { LiveStats } from './LiveStats';
import { LostNotice } from './LostNotice';
import { ModelSection } from './model/ModelSection';
import { OperationCard } from './OperationCard';
import { WaitingNotice } from './WaitingNotice';
import { cvmOptions, lastEventsOptions } from './queries';

const RECENT_ROWS = 8;

/** The CVM overview: health, current operation, endpoints and containers. */
export function OverviewPage() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const { data: cvm, dataUpdatedAt } = useSuspenseQuery(cvmOptions(teamSlug, vmUuid));
  const since = runningSince(cvm.uptime, dataUpdatedAt);
  return (
    <Sections>
      <KeepFocus>{cvm.status === 'lost' && <LostNotice cvm={cvm} teamSlug={teamSlug} />}</KeepFocus>
      {cvm.status === 'error' && <ErrorNotice problem={cvmProblem(cvm, link)} />}
      <WaitingNotice cvm={cvm} teamSlug={teamSlug} href={link('kms')} />
      <OperationCard cvm={cvm} teamSlug={teamSlug} />
      <KeyValue
        facts={[
          { label: 'Uptime', value: since === null ? '—' : <Elapsed since={since} /> },
          { label: cvm.instance_type ?? 'Custom size', value: formatSize(cvm.resource) },
          { label: 'Cost', value: costOf(cvm) },
          { label: 'Revision', value: cvm.revision_number ?? '—' },
        ]}
      />
      <Panel title="Endpoints" actions={<TextLink href={link('network')}>Network</TextLink>}>
        <Endpoints cvm={cvm} />
      </Panel>
      <ModelSection />
      <Containers />
      <LiveStats />
      <LastEvents />
    </Sections>
  );
}

function costOf(cvm: CvmDetail) {
  const { now, running } = ratesOf(cvm);
  return (
    <>
      <Cost usd={formatMicros(now)} per="hour" />
      {running !== null && (
        <>
          <br />
          <Cost usd={formatMicros(running)} per="hour" /> while running
        </>
      )}
    </>
  );
}

function LastEvents() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const { data, error, refetch } = useQuery(lastEventsOptions(teamSlug, vmUuid));
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load the events');
  return (
    <Panel title="Recent activity" actions={<TextLink href={link('events')}>All events</TextLink>}>
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !data ? (
        <RowsSkeleton rows={4} />
      ) : data.data.length === 0 ? (
        <EmptyState picture="events">No events yet</EmptyState>
      ) : (
        <EventList label="Recent events" events={recentItems(data.data).slice(0, RECENT_ROWS)} />
      )}
    </Panel>
  );
}
