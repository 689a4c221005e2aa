import { LinkButton } from '../../ui/controls/Button';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session';
import { appTabs } from '../../lib/cvms/cvmTabs';
import { appPath, cvmPath, launchPath, teamPath } from '../../lib/paths';
import { requestVerb } from '../../lib/cvms/verbRequest';
import { groupFault } from '../../lib/cvms/verbs';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Notice } from '../../ui/feedback/Notice';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Tabs } from '../../ui/layout/Tabs';
import { appCvmsOptions, appOptions } from './queries';
import { SaveTemplateDialog } from './templates/SaveTemplateDialog';

/** Shared by all app pages: health, actions and tabs. */
export function AppLayout({ teamSlug, appId }: { teamSlug: string; appId: string }) {
  const { data: app } = useSuspenseQuery(appOptions(teamSlug, appId));
  const { data: cvms } = useSuspenseQuery(appCvmsOptions(teamSlug, appId));
  const may = useMay('cvms.write', teamSlug);
  const pathname = useLocation().pathname.replace(/\/$/, '');
  const uuid = app.current_cvm?.vm_uuid;
  const statuses = [...new Set(cvms.map((cvm) => cvm.status))];
  const [isSaving, setSaving] = useState(false);
  const mayKeep = useMay('templates.write', teamSlug);
  const unsaved = mayKeep.reason ?? (uuid ? undefined : 'The app has no CVM to base a template on.');
  const navigate = useNavigate();
  const deleteFault =
    may.reason ?? (app.archived_at === null ? groupFault('delete', cvms) : 'Its CVMs are already deleted.');
  const deleteApp = async () => {
    // All of its CVMs; the app's own response holds only the newest.
    const whole = { ...app, cvms, cvm_count: cvms.length };
    if (await requestVerb({ verb: 'delete', teamSlug, apps: [whole] }))
      await navigate({ href: teamPath(teamSlug) });
  };
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
                <LinkButton href={cvmPath(teamSlug, uuid, 'logs')} variant="contained">
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
            label: 'Launch a copy',
            href: `${launchPath(teamSlug)}?app=${appId}`,
            ...(may.reason === undefined ? {} : { disabledReason: may.reason }),
          },
          {
            id: 'template',
            label: 'Save as template…',
            onSelect: () => setSaving(true),
            ...(unsaved === undefined ? {} : { disabledReason: unsaved }),
          },
          { id: 'rule', rule: true },
          {
            id: 'delete',
            label: 'Delete app…',
            danger: true,
            onSelect: () => void deleteApp(),
            ...(deleteFault === undefined ? {} : { disabledReason: deleteFault }),
          },
        ]}
      />
      {isSaving && uuid && (
        <SaveTemplateDialog teamSlug={teamSlug} vmUuid={uuid} onClose={() => setSaving(false)} />
      )}
      {app.archived_at !== null && (
        <Notice tone="neutral" title="Archived.">
          Its last CVM was deleted <RelativeTime at={app.archived_at} inWords />. Its history is still
          available.
        </Notice>
      )}
      <Tabs
        label={`${app.name} pages`}
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
