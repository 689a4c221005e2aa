import { LinkButton } from '../ui/controls/Button';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { useMatches, useRouterState } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useSession } from '../api/session';
import { useEvents } from '../api/useEvents';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../lib/adminMenu';
import { adminPath } from '../lib/paths';
import { AppFrame } from '../ui/layout/AppFrame';
import { withAdminIcons } from '../ui/layout/adminIcons';
import { usePalette } from '../ui/layout/usePalette';
import { Account } from './Account';
import { crumbsOf } from './crumbs';
import { useAside } from './pageAside';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const AreaPalette = lazyWithRetry(() => import('./AreaPalette').then((m) => ({ default: m.AreaPalette })));

/** The admin frame around console pages, for staff viewing another team's CVM. */
export function AdminShell({ teamSlug, children }: { teamSlug: string; children: ReactNode }) {
  const session = useSession();
  const palette = usePalette();
  const matches = useMatches();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  useEvents(teamSlug);
  const aside = useAside();
  return (
    <>
      <AppFrame
        homeHref={adminPath()}
        nav={withAdminIcons(adminMenuOf(adminMenu, session, adminPath('cvms')))}
        navFoot={
          <LinkButton href="/" variant="text" size="small" startIcon={<ExternalLinkIcon />}>
            Back to the console
          </LinkButton>
        }
        crumbs={crumbsOf(matches)}
        onSearch={palette.open}
        account={<Account />}
        {...aside}
        pageKey={pathname}
        onGo={(href) => location.assign(href)}
        userId={session.user?.id}
      >
        {children}
      </AppFrame>
      <Suspense fallback={null}>
        {palette.wasOpened && <AreaPalette area="admin" open={palette.isOpen} onClose={palette.close} />}
      </Suspense>
    </>
  );
}
