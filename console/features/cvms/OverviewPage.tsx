import { styled } from '@mui/material/styles';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { ActivityEvent, CvmDetail } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { cvmPath } from '../../lib/paths';
import { CopyButton } from '../../ui/controls/CopyButton';
import { Cost } from '../../ui/data/Cost';
import { type EventItem, EventList } from '../../ui/data/EventList';
import { Elapsed } from '../../ui/data/RelativeTime';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { Containers } from './Containers';
import { sizeWords } from './CvmAside';
import { runningSince } from './cvmState';
import { LiveStats } from './LiveStats';
import { OperationCard } from './OperationCard';
import { cvmOptions, lastEventsOptions } from './queries';

const Endpoints = styled('ul')({ display: 'grid', gap: space(1) });
const Endpoint = styled('li')({
  ...type.mono,
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  minWidth: 0,
  '& > a': { minWidth: 0, overflowWrap: 'anywhere' },
});
const Text = styled('p')({ ...type.body, color: color.muted });
const Gap = styled('div')({ marginBottom: space(6) });

interface Props {
  teamSlug: string;
  vmUuid: string;
}

/** Is it all right, what is going on, where does it answer, what runs inside. */
export function OverviewPage({ teamSlug, vmUuid }: Props) {
  const { data: cvm, dataUpdatedAt } = useSuspenseQuery(cvmOptions(teamSlug, vmUuid));
  const since = runningSince(cvm.uptime, dataUpdatedAt);
  return (
    <>
      {cvm.status === 'error' && (
        <Gap>
          <ErrorNotice problem={errorOf(cvm, teamSlug, vmUuid)} />
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
      <EndpointsPanel cvm={cvm} />
      <Containers cvm={cvm} teamSlug={teamSlug} vmUuid={vmUuid} />
      <LiveStats cvm={cvm} teamSlug={teamSlug} vmUuid={vmUuid} />
      <LastEvents teamSlug={teamSlug} vmUuid={vmUuid} />
    </>
  );
}

function costOf(cvm: CvmDetail) {
  if (cvm.hourly_rate === null) return '—';
  const cost = <Cost usd={cvm.hourly_rate} per="hour" />;
  return cvm.status === 'stopped' ? <>{cost} when started</> : cost;
}

function errorOf(cvm: CvmDetail, teamSlug: string, vmUuid: string) {
  const reason = cvm.status_reason ?? cvm.boot_error ?? 'Its host gave no reason.';
  return {
    title: `${cvm.name} does not run`,
    message: reason,
    suggestions: [
      {
        label: 'Read the serial console: it shows how far the boot came',
        href: `${cvmPath(teamSlug, vmUuid, 'logs')}?source=serial`,
      },
      { label: 'Look at the operation that failed', href: cvmPath(teamSlug, vmUuid, 'events') },
      {
        label: 'Correct the compose file or the secrets, then update',
        href: cvmPath(teamSlug, vmUuid, 'compose'),
      },
      'Or start it again, if the cause has gone.',
    ],
  };
}

function EndpointsPanel({ cvm }: { cvm: CvmDetail }) {
  const urls = [...new Set(cvm.public_urls.map(({ app }) => app))];
  return (
    <Panel title="Endpoints">
      {urls.length === 0 ? (
        <Text>
          {cvm.gateway_enabled
            ? 'The compose file publishes no port, so nothing of it can be reached from outside.'
            : 'The gateway is off for this app.'}
        </Text>
      ) : (
        <Endpoints>
          {urls.map((url) => (
            <Endpoint key={url}>
              {cvm.status === 'running' ? (
                <TextLink href={url} target="_blank">
                  {url}
                </TextLink>
              ) : (
                <span style={{ color: color.muted }}>{url}</span>
              )}
              <CopyButton text={url} what="address" />
            </Endpoint>
          ))}
        </Endpoints>
      )}
      {urls.length > 0 && cvm.status !== 'running' && (
        <Text style={{ marginTop: 8 }}>They answer while it runs.</Text>
      )}
    </Panel>
  );
}

export const toEventItem = ({ id, severity, message, created_at, actor }: ActivityEvent): EventItem => ({
  id,
  severity,
  message,
  at: created_at,
  ...(actor?.username ? { actor: actor.username } : {}),
});

function LastEvents({ teamSlug, vmUuid }: Props) {
  const { data, error, refetch } = useQuery(lastEventsOptions(teamSlug, vmUuid));
  const problem = data ? null : problemOf(error, 'The events could not be read', () => void refetch());
  return (
    <Panel
      title="What changed"
      actions={<TextLink href={cvmPath(teamSlug, vmUuid, 'events')}>All events</TextLink>}
    >
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
