import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { defaultTeam, useSession } from '../api/session';
import { teamPath } from '../lib/paths';
import { AppFrame } from '../ui/layout/AppFrame';
import { usePalette } from '../ui/layout/usePalette';
import type { NavItem } from '../ui/layout/frameData';
import { Tabs } from '../ui/layout/Tabs';
import { useMedia } from '../ui/media';
import { breakpoints } from '../ui/theme';
import { Account } from './Account';
import { accountSections } from './accountSections';
import { ViewAsBanner } from './ViewAsBanner';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const AreaPalette = lazyWithRetry(() => import('./AreaPalette').then((m) => ({ default: m.AreaPalette })));

/** The frame of account pages, with the account's own sections instead of a team's. */
export function AccountShell({
  current,
  bell,
  announcements,
  children,
}: {
  current: string;
  /** Notifications, in the top bar. */
  bell: ReactNode;
  /** Banners below the top bar of every page. */
  announcements?: ReactNode;
  children: ReactNode;
}) {
  const session = useSession();
  const palette = usePalette();
  const navigate = useNavigate();
  const phone = useMedia(`(max-width: ${breakpoints.phone - 0.02}px)`);
  const team = defaultTeam(session);
  const items = accountSections(current);
  const back: NavItem[] = team
    ? [{ label: `Back to ${team.name}`, href: teamPath(team.slug), icon: <ArrowLeftIcon /> }]
    : [];
  return (
    <>
      <AppFrame
        homeHref={team ? teamPath(team.slug) : '/'}
        nav={[{ items: back }, { label: 'Account settings', items }].filter(({ items }) => items.length > 0)}
        crumbs={[]}
        announcements={
          <>
            {session.view_as && <ViewAsBanner viewing={session.view_as} />}
            {announcements}
          </>
        }
        notifications={bell}
        onSearch={palette.open}
        account={<Account />}
        pageKey={current}
        onGo={(href) => void navigate({ href })}
      >
        {/* On phones the menu hides the sections, so they are also shown as tabs. */}
        {phone && <Tabs label="Account settings" tabs={items} />}
        {children}
      </AppFrame>
      <Suspense fallback={null}>
        {palette.wasOpened && <AreaPalette area="account" open={palette.isOpen} onClose={palette.close} />}
      </Suspense>
    </>
  );
}
