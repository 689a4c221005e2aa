import { styled } from '@mui/material/styles';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent, CvmDetail } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { Cost } from '../../ui/data/Cost';
import { type EventItem, EventList } from '../../ui/data/EventList';
import { Elapsed } from '../../ui/data/RelativeTime';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';
import { useCvmAddress, useCvmLink } from './address';
import { Containers } from './Containers';
import { sizeWords } from './CvmAside';
import { runningSince } from './cvmState';
import { Endpoints } from './Endpoints';
import { LiveStats } from './LiveStats';
import { OperationCard } from './OperationCard';
import { cvmOptions, lastEventsOptions } from './queries';

const Gap = styled('div')({ marginBottom: space(6) });

/** Is it all right, what is going on, where does it answer, what runs inside. */
export function OverviewPage() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const { data: cvm, dataUpdatedAt } = useSuspenseQuery(cvmOptions(teamSlug, vmUuid));
  const since = runningSince(cvm.uptime, dataUpdatedAt);
  return (
    <>
      {cvm.status === 'error' && (
        <Gap>
          <ErrorNotice problem={errorOf(cvm, link)} />
        </Gap>
      )}
      <OperationCard cvm={cvm} teamSlug={teamSlug} />
      <Gap>
        <KeyValue
          facts={[
            { label: 'Uptime', value: since === null ? '—' : <Elapsed since={since} /> },
            { label: cvm.instance_type ?? 'Custom size', value: sizeWords(cvm.resource) },
            { label: 'Cost', value: costOf(cvm) },
            { label: 'Revision', value: cvm.revision_number ?? '—' },
          ]}
        />
      </Gap>
      <Panel title="Endpoints" actions={<TextLink href={link('network')}>Network</TextLink>}>
        <Endpoints
          urls={cvm.public_urls}
          running={cvm.status === 'running'}
          gateway_enabled={cvm.gateway_enabled}
        />
      </Panel>
      <Containers />
      <LiveStats />
      <LastEvents />
    </>
  );
}

function costOf(cvm: CvmDetail) {
  if (cvm.hourly_rate === null) return '—';
  const cost = <Cost usd={cvm.hourly_rate} per="hour" />;
  return cvm.status === 'stopped' ? <>{cost} when started</> : cost;
}

function errorOf(cvm: CvmDetail, link: ReturnType<typeof useCvmLink>) {
  const reason = cvm.status_reason ?? cvm.boot_error ?? 'Its host gave no reason.';
  return {
    title: `${cvm.name} does not run`,
    message: reason,
    suggestions: [
      {
        label: 'Read the serial console: it shows how far the boot came',
        href: link('logs', { source: 'serial' }),
      },
      { label: 'Look at the operation that failed', href: link('events') },
      {
        label: 'Correct the compose file or the secrets, then update',
        href: link('compose'),
      },
      'Or start it again, if the cause has gone.',
    ],
  };
}

export const toEventItem = ({ id, severity, message, created_at, actor }: ActivityEvent): EventItem => ({
  id,
  severity,
  message,
  at: created_at,
  ...(actor?.username ? { actor: actor.username } : {}),
});

function LastEvents() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const { data, error, refetch } = useQuery(lastEventsOptions(teamSlug, vmUuid));
  const problem = data ? null : problemOf(error, 'The events could not be read', () => void refetch());
  return (
    <Panel title="What changed" actions={<TextLink href={link('events')}>All events</TextLink>}>
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !data ? (
        <RowsSkeleton rows={4} />
      ) : data.data.length === 0 ? (
        <EmptyState>Nothing has happened yet.</EmptyState>
      ) : (
        <EventList label="Last events" events={data.data.map(toEventItem)} />
      )}
    </Panel>
  );
}
