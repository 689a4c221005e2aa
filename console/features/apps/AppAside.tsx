import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRunway } from '../../api/runway';
import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { appCvmPath, appPath, dashboardAppCvmsPath, launchPath } from '../../lib/paths';
import { hourlyAfterOrders, hourlyMicros } from '../../lib/billing/spend';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { AsidePanel, Facts } from '../../ui/layout/AsidePanel';
import { TextLink } from '../../ui/link';
import { ShortEndpoints } from './AppEndpoints';
import { appOptions } from './queries';

/** An app's identifiers, owner, cost and links. */
export function AppAside() {
  const { teamSlug = '', appId = '' } = useParams({ strict: false });
  const { data: app } = useQuery(appOptions(teamSlug, appId));
  const lasts = useRunway(teamSlug, { shown: hourlyMicros(app?.cvms ?? []) });
  if (!app) return null;
  const cvm = app.current_cvm;
  const hourly = hourlyMicros(app.cvms);
  const uncovered = hourlyAfterOrders(app.cvms);
  return (
    <AsidePanel
      sections={[
        {
          title: 'App',
          content: (
            <Facts
              facts={[
                { label: 'App ID', copy: app.app_id },
                { label: 'Project', copy: app.id },
                { label: 'Created', value: <RelativeTime at={app.created_at} /> },
                { label: 'Created by', value: cvm?.creator?.username ?? '—' },
                {
                  label: 'Keys from',
                  value: app.kms_type === 'phala' ? 'the platform’s KMS' : `KMS on ${app.kms_type}`,
                },
              ]}
            />
          ),
        },
        {
          title: 'Cost',
          content: (
            <Facts
              facts={[
                { label: 'Now', value: formatHourly(hourly) },
                { label: 'Projected', value: formatMonthly(hourly) },
                ...(uncovered === null
                  ? []
                  : [{ label: 'After reservations end', value: formatMonthly(uncovered) }]),
                ...(lasts === undefined ? [] : [{ label: 'Balance lasts', value: lasts }]),
              ]}
            />
          ),
        },
        ...(cvm?.vm_uuid
          ? [
              {
                title: 'Current CVM',
                content: (
                  <Facts
                    facts={[
                      {
                        label: 'Name',
                        value: (
                          <TextLink href={appCvmPath(teamSlug, appId, cvm.vm_uuid)}>{cvm.name}</TextLink>
                        ),
                      },
                      { label: 'CVM ID', copy: cvm.vm_uuid },
                      ...(cvm.instance_id === null ? [] : [{ label: 'Instance ID', copy: cvm.instance_id }]),
                      { label: 'OS image', value: cvm.os?.name ?? '—' },
                      { label: 'Host', value: cvm.teepod?.name ?? '—' },
                      { label: 'Region', value: cvm.teepod?.region_identifier ?? '—' },
                    ]}
                  />
                ),
              },
            ]
          : []),
        ...(cvm && cvm.public_urls.length > 0
          ? [
              {
                title: 'Endpoints',
                content: <ShortEndpoints cvm={cvm} />,
              },
            ]
          : []),
        {
          title: 'Links',
          content: (
            <ul style={{ display: 'grid', gap: 8 }}>
              <li>
                <TextLink href={appPath(teamSlug, appId, 'cvms')}>Scale out or in</TextLink>
              </li>
              <li>
                <TextLink href={`${launchPath(teamSlug)}?app=${appId}`}>Launch a copy</TextLink>
              </li>
              <li>
                <TextLink href={dashboardAppCvmsPath(appId)}>View CVMs</TextLink>
              </li>
            </ul>
          ),
        },
      ]}
    />
  );
}
