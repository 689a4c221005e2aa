import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { appTabs } from '../../lib/cvmTabs';
import { appPath, cvmPath, launchPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Notice } from '../../ui/feedback/Notice';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Tabs } from '../../ui/layout/Tabs';
import { appCvmsOptions, appOptions } from './queries';

/** What all pages of an app share: is it all right, what can be done, its tabs. */
export function AppLayout({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const may = useMay('cvms.write', teamSlug);
  const pathname = useLocation().pathname.replace(/\/$/, '');
  const uuid = app.current_cvm?.vm_uuid;
  const statuses = [...new Set(cvms.map((cvm) => cvm.status))];
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
        {...(uuid
          ? {
              primary: (
                <LinkButton href={cvmPath(teamSlug, uuid, 'logs')} variant="contained" color="primary">
                  Open logs
                </LinkButton>
              ),
              secondary: (
                <LinkButton href={cvmPath(teamSlug, uuid, 'compose')}>Compose and secrets</LinkButton>
              ),
            }
          : {})}
        overflow={[
          {
            id: 'launch',
            label: 'Launch another like it',
            href: `${launchPath(teamSlug)}?app=${appId}`,
            ...(may.reason === undefined ? {} : { disabledReason: may.reason }),
          },
        ]}
      />
      {app.archived_at !== null && (
        <Notice tone="neutral" title="Archived.">
          Its last CVM was deleted <RelativeTime at={app.archived_at} />. Its history stays readable.
        </Notice>
      )}
      <Tabs
        label={`Pages of ${app.name}`}
        tabs={[{ tab: undefined, label: 'Overview' }, ...appTabs].map(({ tab, label }) => {
          const href = appPath(teamSlug, appId, tab);
          return {
            label,
            href,
            current: pathname === href,
            ...(tab === 'cvms' && cvms.length > 1 ? { badge: cvms.length } : {}),
          };
        })}
      />
      <Outlet />
    </>
  );
}
