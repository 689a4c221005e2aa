import { styled } from '@mui/material/styles';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMay } from '../../api/session';
import { formatHourly } from '../../lib/money';
import { cvmPath, deployPath } from '../../lib/paths';
import { hourlyMicros } from '../../lib/spend';
import { LinkButton } from '../../ui/controls/LinkButton';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Notice } from '../../ui/feedback/Notice';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import { space } from '../../ui/theme';
import { AppEvents } from './AppEvents';
import { CvmsTable } from './CvmsTable';
import { appCvmsOptions, appOptions } from './queries';
import { Revisions } from './Revisions';

const Strip = styled('div')({ marginBottom: space(8) });

/** One app: is it all right, what runs, which revision, what happened. */
export function AppPage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const may = useMay('cvms.write', teamSlug);
  const current = app.current_cvm;
  const statuses = [...new Set(cvms.map((cvm) => cvm.status))];
  const hourly = hourlyMicros(cvms);
  const running = cvms.filter((cvm) => cvm.status === 'running').length;

  return (
    <>
      <PageHeader
        title={app.name}
        status={
          app.archived_at === null ? (
            <>
              {statuses.map((status) => (
                <StatusChip key={status} status={status} />
              ))}
              {cvms.some((cvm) => cvm.trust === 'simulated') && <StatusChip status="simulated" />}
            </>
          ) : (
            <StatusChip status="archived" />
          )
        }
        {...(current?.vm_uuid
          ? {
              primary: (
                <LinkButton
                  href={cvmPath(teamSlug, current.vm_uuid, 'logs')}
                  variant="contained"
                  color="primary"
                >
                  Open logs
                </LinkButton>
              ),
              secondary: (
                <LinkButton href={cvmPath(teamSlug, current.vm_uuid, 'compose')}>
                  Compose and secrets
                </LinkButton>
              ),
            }
          : {})}
        overflow={[
          {
            id: 'deploy',
            label: 'Deploy another app',
            href: deployPath(teamSlug),
            ...(may.reason === undefined ? {} : { disabledReason: may.reason }),
          },
        ]}
      />
      {app.archived_at !== null && (
        <Notice tone="neutral" title="Archived.">
          Its last CVM was deleted <RelativeTime at={app.archived_at} />. Its history stays readable.
        </Notice>
      )}
      <Strip>
        <KeyValue
          facts={[
            { label: 'CVMs running', value: `${running} of ${cvms.length}` },
            { label: 'Cost now', value: formatHourly(hourly) },
            { label: 'Size', value: current?.instance_type ?? '—' },
            { label: 'Host', value: current?.teepod?.name ?? '—' },
            { label: 'Revision', value: app.latest_revision_number ?? '—' },
            {
              label: 'Compose hash',
              value: current?.compose_hash ? <CopyId id={current.compose_hash} what="compose hash" /> : '—',
            },
          ]}
        />
      </Strip>
      <CvmsTable teamSlug={teamSlug} appId={appId} />
      <Revisions teamSlug={teamSlug} appId={appId} />
      <AppEvents teamSlug={teamSlug} appId={appId} />
    </>
  );
}
