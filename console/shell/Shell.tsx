import { Outlet, useMatches, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { recordFeature } from '../analytics';
import { permissionsIn, useSession, useTeam } from '../api/session';
import { useEvents } from '../api/useEvents';
import { teamPath } from '../lib/paths';
import { useConnection } from '../ui/feedback/ConnectionBanner';
import { Notice } from '../ui/feedback/Notice';
import { AppFrame } from '../ui/layout/AppFrame';
import { startTypingAhead, takeTyped } from '../ui/layout/typeAhead';
import { usePaletteKey } from '../ui/layout/usePalette';
import { Account } from './Account';
import { DebtBanner } from './DebtBanner';
import { Operations } from './Operations';
import { useAside } from './pageAside';
import { placeNameOf, placeOf, trailOf } from './place';
import { sections } from './sections';
import { Teams } from './Teams';
import { useFinishToasts } from './useFinishToasts';
import { ViewAsBanner } from './ViewAsBanner';
import { useMembershipCheck } from './useMembershipCheck';
import { lazyWithRetry } from '../ui/lazyWithRetry';

// Loaded on first use: dialogs, search and their queries.
const Palette = lazyWithRetry(() => import('./Palette').then(({ Palette }) => ({ default: Palette })));
const CreateTeamDialog = lazyWithRetry(() =>
  import('./CreateTeamDialog').then(({ CreateTeamDialog }) => ({ default: CreateTeamDialog })),
);

type Opened = 'palette' | 'team' | null;

interface Props {
  teamSlug: string;
  /** Banners below the top bar of every page. */
  announcements?: ReactNode;
  /** Notifications, in the top bar. */
  bell: ReactNode;
  /** The page; by default, the matched team route. */
  children?: ReactNode;
}

/** The frame of every team page: navigation, breadcrumb and operations in progress. */
export function Shell({ teamSlug, announcements, bell, children = <Outlet /> }: Props) {
  const team = useTeam(teamSlug);
  const { user, platform_role, view_as } = useSession();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened>(null);
  const [loaded, setLoaded] = useState<ReadonlySet<Opened>>(new Set());
  const matches = useMatches();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const tab = useRouterState({
    select: (state) => new URLSearchParams(state.location.searchStr).get('tab'),
  });
  const stream = useEvents(teamSlug, useFinishToasts(teamSlug), useMembershipCheck(teamSlug));

  const close = () => {
    takeTyped();
    setOpened(null);
  };
  const open = (what: Exclude<Opened, null>) => {
    setLoaded((before) => new Set(before).add(what));
    setOpened(what);
    if (what !== 'palette') return;
    startTypingAhead(close);
    recordFeature('palette_opened');
  };
  usePaletteKey(() => (opened === 'palette' ? close() : open('palette')), { slash: opened === null });

  const aside = useAside();
  const isPolling = useConnection() === 'online' && stream === 'polling';

  return (
    <>
      <AppFrame
        homeHref={teamPath(teamSlug)}
        team={<Teams team={team} onCreate={() => open('team')} />}
        nav={sections(teamSlug, pathname, tab, {
          staff: platform_role !== null,
          permissions: permissionsIn(team),
        })}
        crumbs={trailOf(team, pathname, matches)}
        onSearch={() => open('palette')}
        operations={<Operations teamSlug={teamSlug} />}
        announcements={
          announcements === undefined && !isPolling && !view_as && !team.debt ? undefined : (
            <>
              {view_as && <ViewAsBanner viewing={view_as} />}
              {team.debt && pathname !== '/debt-settlement' && <DebtBanner team={team} debt={team.debt} />}
              {announcements}
              {isPolling && (
                <Notice bar tone="attention" title="Live updates unavailable">
                  This page refreshes every few seconds instead.
                </Notice>
              )}
            </>
          )
        }
        notifications={bell}
        account={<Account />}
        {...aside}
        pageKey={pathname}
        place={{
          href: placeOf(teamSlug, pathname, tab),
          label: placeNameOf(teamSlug, pathname, matches),
        }}
        onGo={(href) => void navigate({ href })}
        userId={user?.id}
      >
        {children}
      </AppFrame>
      <Suspense fallback={null}>
        {loaded.has('palette') && (
          <Palette
            open={opened === 'palette'}
            onClose={close}
            teamSlug={teamSlug}
            onCreateTeam={() => open('team')}
          />
        )}
        {loaded.has('team') && <CreateTeamDialog open={opened === 'team'} onClose={close} />}
      </Suspense>
    </>
  );
}
