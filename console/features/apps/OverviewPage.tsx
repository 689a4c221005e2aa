import { styled } from '@mui/material/styles';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Cvm } from '../../../generated/api/types.gen';
import { formatHourly, formatMonthly } from '../../lib/money';
import { appCvmPath, appPath } from '../../lib/paths';
import { hourlyMicros } from '../../lib/spend';
import { AddressList } from '../../ui/data/AddressList';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { RecentEvents } from './AppEvents';
import { CvmsTable } from './CvmsTable';
import { appCvmsOptions, appOptions, revisionsOptions } from './queries';
import { RolloutsPanel } from './rollouts/RolloutsPanel';

const Gap = styled('div')({ marginBottom: space(6) });
const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  teamSlug: string;
  appId: string;
}

/** One app: is it all right, what runs, where it answers, what it costs, which revision, what happened. */
export function OverviewPage({ teamSlug, appId }: Props) {
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const running = cvms.filter((cvm) => cvm.status === 'running').length;
  const hourly = hourlyMicros(cvms);
  return (
    <>
      {cvms
        .filter((cvm) => cvm.status === 'error')
        .slice(0, 3)
        .map((cvm) => (
          <Gap key={cvm.id}>
            <ErrorNotice problem={problemOfCvm(cvm, teamSlug, appId)} />
          </Gap>
        ))}
      <Gap>
        <KeyValue
          facts={[
            { label: 'CVMs running', value: `${running} of ${cvms.length}` },
            { label: 'Spend now', value: formatHourly(hourly) },
            { label: 'If it stays so', value: formatMonthly(hourly) },
            { label: 'Size', value: sizesOf(cvms) },
          ]}
        />
      </Gap>
      <RolloutsPanel teamSlug={teamSlug} appId={appId} />
      <CvmsTable teamSlug={teamSlug} appId={appId} />
      <Panel title="Endpoints">
        <Endpoints cvms={cvms} />
      </Panel>
      <LatestRevision teamSlug={teamSlug} appId={appId} />
      <RecentEvents teamSlug={teamSlug} appId={appId} />
    </>
  );
}

function problemOfCvm(cvm: Cvm, teamSlug: string, appId: string) {
  const page = (tab: 'logs' | 'events') =>
    cvm.vm_uuid === null ? appPath(teamSlug, appId, 'cvms') : appCvmPath(teamSlug, appId, cvm.vm_uuid, tab);
  return {
    title: `${cvm.name} does not run`,
    message: cvm.status_reason ?? cvm.boot_error ?? 'Its host gave no reason.',
    suggestions: [
      { label: 'Read its logs', href: page('logs') },
      { label: 'Look at the operation that failed', href: page('events') },
    ],
  };
}

function sizesOf(cvms: readonly Cvm[]): string {
  const sizes = [...new Set(cvms.map((cvm) => cvm.instance_type ?? 'custom'))];
  return sizes.length === 0 ? '—' : sizes.join(', ');
}

/** The app's own addresses: they lead to any of its CVMs that runs. */
function Endpoints({ cvms }: { cvms: readonly Cvm[] }) {
  const urls = [...new Set(cvms.flatMap((cvm) => cvm.public_urls.map(({ app }) => app)))];
  const up = cvms.some((cvm) => cvm.status === 'running');
  if (cvms.length === 0) return <Text>No CVM of it is left, so nothing answers.</Text>;
  if (urls.length === 0)
    return (
      <Text>
        {cvms.some((cvm) => cvm.gateway_enabled)
          ? 'The compose file publishes no port, so nothing of it can be reached from outside.'
          : 'The gateway is off for this app.'}
      </Text>
    );
  return (
    <>
      <AddressList addresses={urls} answering={up} />
      {!up && <Text style={{ marginTop: 8 }}>They answer while a CVM runs.</Text>}
    </>
  );
}

function LatestRevision({ teamSlug, appId }: Props) {
  const { data } = useSuspenseQuery(revisionsOptions(teamSlug, appId));
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const [revision] = data.revisions;
  if (!revision) return null;
  return (
    <Panel
      title={`Revision ${revision.revision_number}`}
      actions={
        <TextLink href={appPath(teamSlug, appId, 'revisions')}>
          {data.total === 1 ? 'Revisions' : `All ${data.total} revisions`}
        </TextLink>
      }
    >
      <KeyValue
        facts={[
          { label: 'Made', value: <RelativeTime at={revision.created_at} /> },
          { label: 'By', value: revision.triggered_by?.username ?? '—' },
          { label: 'With', value: revision.operation_type.replaceAll('_', ' ') },
          { label: 'Secrets', value: revision.allowed_envs.length },
          {
            label: 'Compose hash',
            value: <CopyId id={revision.compose_hash} what="compose hash" />,
          },
          { label: 'OS image', value: app.current_cvm?.os?.name ?? '—' },
        ]}
      />
    </Panel>
  );
}
