import { useSuspenseQuery } from '@tanstack/react-query';
import type { Cvm } from '../../../generated/api/types.gen';
import { capitalized } from '../../lib/texts/capitalized';
import { cvmProblem } from '../../lib/cvms/cvmProblem';
import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { appCvmPath, appPath, cvmLink } from '../../lib/paths';
import { hourlyMicros } from '../../lib/billing/spend';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Panel } from '../../ui/layout/Panel';
import { Sections } from '../../ui/layout/Sections';
import { TextLink } from '../../ui/link';
import { AppEndpoints } from './AppEndpoints';
import { RecentEvents } from './AppEvents';
import { CvmsTable } from './CvmsTable';
import { appCvmsOptions, appOptions, revisionsOptions } from './queries';
import { RolloutsPanel } from './rollouts/RolloutsPanel';
import { appTemplateOptions } from './templates/queries';
import { TemplateName } from './templates/TemplateName';
import { TemplatePanel } from './templates/TemplatePanel';

interface Props {
  teamSlug: string;
  appId: string;
}

/** The app overview: health, CVMs, endpoints, cost, revision and events. */
export function OverviewPage({ teamSlug, appId }: Props) {
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const running = cvms.filter((cvm) => cvm.status === 'running').length;
  const hourly = hourlyMicros(cvms);
  return (
    <Sections>
      {cvms
        .filter((cvm) => cvm.status === 'error' || cvm.status === 'lost')
        .slice(0, 3)
        .map((cvm) => (
          <ErrorNotice key={cvm.id} problem={problemOfCvm(cvm, teamSlug, appId)} />
        ))}
      <KeyValue
        facts={[
          { label: 'Running CVMs', value: `${running} of ${cvms.length}` },
          { label: 'Current spend', value: formatHourly(hourly) },
          { label: 'Projected', value: formatMonthly(hourly) },
          { label: 'Size', value: sizesOf(cvms) },
        ]}
      />
      <RolloutsPanel teamSlug={teamSlug} appId={appId} />
      <TemplatePanel teamSlug={teamSlug} app={app} />
      <CvmsTable teamSlug={teamSlug} appId={appId} />
      <Panel title="Endpoints">
        <AppEndpoints cvms={cvms} />
      </Panel>
      <LatestRevision teamSlug={teamSlug} appId={appId} />
      <RecentEvents teamSlug={teamSlug} appId={appId} />
    </Sections>
  );
}

function problemOfCvm(cvm: Cvm, teamSlug: string, appId: string) {
  const base =
    cvm.vm_uuid === null ? appPath(teamSlug, appId, 'cvms') : appCvmPath(teamSlug, appId, cvm.vm_uuid);
  return cvmProblem(cvm, (tab, search) => cvmLink({ base }, cvm.vm_uuid === null ? undefined : tab, search));
}

function sizesOf(cvms: readonly Cvm[]): string {
  const sizes = [...new Set(cvms.map((cvm) => cvm.instance_type ?? 'custom'))];
  return sizes.length === 0 ? '—' : sizes.join(', ');
}

function LatestRevision({ teamSlug, appId }: Props) {
  const { data } = useSuspenseQuery(revisionsOptions(teamSlug, appId));
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const { data: from } = useSuspenseQuery(appTemplateOptions(teamSlug, appId));
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
          { label: 'Created', value: <RelativeTime at={revision.created_at} /> },
          { label: 'By', value: revision.triggered_by?.username ?? '—' },
          { label: 'Operation', value: capitalized(revision.operation_type.replaceAll('_', ' ')) },
          { label: 'Secrets', value: revision.allowed_envs.length },
          {
            label: 'Compose hash',
            value: <CopyId id={revision.compose_hash} what="compose hash" />,
          },
          { label: 'OS image', value: app.current_cvm?.os?.name ?? '—' },
          ...(from.template ? [{ label: 'Template', value: <TemplateName template={from.template} /> }] : []),
        ]}
      />
    </Panel>
  );
}
