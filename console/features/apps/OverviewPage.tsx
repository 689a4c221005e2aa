import { styled } from '@mui/material/styles';
import { useSuspenseQuery } from '@tanstack/react-query';
import { formatHourly } from '../../lib/money';
import { appPath } from '../../lib/paths';
import { hourlyMicros } from '../../lib/spend';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { TextLink } from '../../ui/link';
import { space } from '../../ui/theme';
import { AppEvents } from './AppEvents';
import { CvmsTable } from './CvmsTable';
import { appCvmsOptions, appOptions } from './queries';
import { Revisions } from './Revisions';

const Strip = styled('div')({ marginBottom: space(8) });

/** One app: is it all right, what runs, which revision, what happened. */
export function OverviewPage({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const current = app.current_cvm;
  const running = cvms.filter((cvm) => cvm.status === 'running').length;
  return (
    <>
      <Strip>
        <KeyValue
          facts={[
            { label: 'CVMs running', value: `${running} of ${cvms.length}` },
            { label: 'Cost now', value: formatHourly(hourlyMicros(cvms)) },
            { label: 'Size', value: current?.instance_type ?? '—' },
            { label: 'Host', value: current?.teepod?.name ?? '—' },
            {
              label: 'Revision',
              value:
                app.latest_revision_number === null ? (
                  '—'
                ) : (
                  <TextLink href={appPath(teamSlug, appId, 'revisions')}>
                    {app.latest_revision_number}
                  </TextLink>
                ),
            },
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
