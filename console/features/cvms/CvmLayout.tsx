import { LinkButton } from '../../ui/controls/Button';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { cvmTabs } from '../../lib/cvms/cvmTabs';
import { adminPath, cvmPath, recycleBinPath, teamPath, type CvmAddress } from '../../lib/paths';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CanonicalLink } from '../../ui/layout/CanonicalLink';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Tabs } from '../../ui/layout/Tabs';
import { CvmContext, useCvmLink } from './address';
import { ChooseCvm } from './ChooseCvm';
import { CvmHeader } from './CvmHeader';
import type { CvmLoaded } from './load';
import { cvmOptions } from './queries';

/** Shared by all pages of a CVM, at any of its URLs: the CVM, header and tabs. */
export function CvmLayout({ loaded }: { loaded: CvmLoaded }) {
  if ('choices' in loaded) return <ChooseCvm {...loaded} />;
  if ('deleted' in loaded)
    return <Deleted name={loaded.deleted.name} by="admin" teamSlug={loaded.teamSlug} />;
  return (
    <CvmContext value={loaded.cvm_address}>
      <Pages {...loaded.cvm_address} crumb={loaded.crumb} />
    </CvmContext>
  );
}

function Pages({ by, teamSlug, vmUuid, crumb }: CvmAddress & { crumb: string }) {
  const { data: cvm, error, refetch } = useSuspenseQuery(cvmOptions(teamSlug, vmUuid));
  const router = useRouter();
  // The CVM was renamed; breadcrumb and title come from the route's loader data.
  useEffect(() => {
    if (cvm.name !== crumb) void router.invalidate();
  }, [cvm.name, crumb, router]);
  const { agent_framework } = useSession().environment;
  const { pathname } = useLocation();
  const link = useCvmLink();
  if (isApiError(error, 404) || cvm.status === 'deleted')
    return <Deleted name={cvm.name} by={by} teamSlug={teamSlug} />;
  const stale = error ? problemOf(error, 'This page may be out of date', () => void refetch()) : null;
  const here = pathname.replace(/\/$/, '');
  const own = cvmPath(teamSlug, vmUuid) + here.slice(link().length);
  return (
    <>
      <CvmHeader cvm={cvm} teamSlug={teamSlug} />
      <Tabs
        label={`${cvm.name} pages`}
        tabs={[{ tab: undefined, label: 'Overview' }, ...cvmTabs(agent_framework)].map(({ tab, label }) => {
          const href = link(tab);
          return { label, href, current: here === href };
        })}
      />
      {stale && <ErrorNotice problem={stale} />}
      <Outlet />
      {by !== 'team' && by !== 'admin' && <CanonicalLink href={own} shown={by === 'dashboard'} />}
    </>
  );
}

function Deleted({ name, by, teamSlug }: Pick<CvmAddress, 'by' | 'teamSlug'> & { name: string }) {
  return (
    <>
      <PageHeader title={`${name} was deleted`} />
      <EmptyState
        picture="bin"
        action={
          <LinkButton
            href={by === 'admin' ? adminPath('cvms') : recycleBinPath(teamSlug)}
            variant="contained"
          >
            {by === 'admin' ? 'All CVMs' : 'Recycle bin'}
          </LinkButton>
        }
        {...(by === 'admin' ? {} : { link: { label: 'All apps', href: teamPath(teamSlug) } })}
      >
        Unless it was destroyed immediately, you can restore it from the recycle bin for 24 hours. Its events
        stay on the app’s page.
      </EmptyState>
    </>
  );
}
