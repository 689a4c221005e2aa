import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { cvmPath, teamPath, type CvmTab } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Tabs } from '../../ui/layout/Tabs';
import { CvmHeader } from './CvmHeader';
import { cvmOptions } from './queries';

const TABS: readonly [CvmTab | undefined, string][] = [
  [undefined, 'Overview'],
  ['logs', 'Logs'],
  ['events', 'Events'],
  ['compose', 'Compose'],
  ['settings', 'Settings'],
];

/** What all pages of a CVM share: header and tabs. */
export function CvmLayout({ teamSlug, vmUuid }: { teamSlug: string; vmUuid: string }) {
  const { data: cvm, error, refetch } = useSuspenseQuery(cvmOptions(teamSlug, vmUuid));
  const { pathname } = useLocation();
  if (isApiError(error, 404) || cvm.status === 'deleted')
    return (
      <EmptyState
        title={`${cvm.name} is deleted`}
        action={
          <LinkButton href={teamPath(teamSlug)} variant="contained" color="primary">
            All apps
          </LinkButton>
        }
      >
        Its disk and its secrets are gone. Its events remain on the page of the app.
      </EmptyState>
    );
  const stale = error ? problemOf(error, 'What you see may be old', () => void refetch()) : null;
  return (
    <>
      <CvmHeader cvm={cvm} teamSlug={teamSlug} />
      <Tabs
        label={`Pages of ${cvm.name}`}
        tabs={TABS.map(([tab, label]) => {
          const href = cvmPath(teamSlug, vmUuid, tab);
          return { label, href, current: pathname.replace(/\/$/, '') === href };
        })}
      />
      {stale && <ErrorNotice problem={stale} />}
      <Outlet />
    </>
  );
}
