import { Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { recordFeature } from '../../analytics';
import { useSession, useTeam } from '../../api/session';
import { useEvents } from '../../api/useEvents';
import { teamPath } from '../../lib/paths';
import { isTyping, useDocumentKey } from '../../ui/controls/keys';
import { Notice } from '../../ui/feedback/Notice';
import { AppFrame } from '../../ui/layout/AppFrame';
import { Account } from './Account';
import { crumbsOf } from './crumbs';
import { Operations } from './Operations';
import { useAside } from './pageAside';
import { sections } from './sections';
import { Teams } from './Teams';
import { useFinishToasts } from './useFinishToasts';
import { ViewAsBanner } from './ViewAsBanner';
import { useStanding } from './useStanding';

// Dialogs, search and their queries: loaded when first opened.
const Palette = lazy(() => import('./Palette').then(({ Palette }) => ({ default: Palette })));
const CreateTeamDialog = lazy(() =>
  import('./CreateTeamDialog').then(({ CreateTeamDialog }) => ({ default: CreateTeamDialog })),
);

type Opened = 'palette' | 'team' | null;

interface Props {
  teamSlug: string;
  /** What concerns the person on every page, under the top bar. */
  announcements?: ReactNode;
  /** What the person is told, on top. */
  bell: ReactNode;
  /** The page; without it, what the router matched under the team. */
  children?: ReactNode;
}

/** The frame of every page of a team, wired: where one can go, where one is, what is going on. */
export function Shell({ teamSlug, announcements, bell, children = <Outlet /> }: Props) {
  const team = useTeam(teamSlug);
  const { platform_role, view_as } = useSession();
  const [opened, setOpened] = useState<Opened>(null);
  const [loaded, setLoaded] = useState<ReadonlySet<Opened>>(new Set());
  const matches = useMatches();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const stream = useEvents(teamSlug, useFinishToasts(teamSlug), useStanding(teamSlug));

  const open = (what: Exclude<Opened, null>) => {
    setLoaded((before) => new Set(before).add(what));
    setOpened(what);
    if (what === 'palette') recordFeature('palette_opened');
  };
  useDocumentKey((event) => {
    const shortcut = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
    const slash = event.key === '/' && !isTyping(event.target as HTMLElement | null);
    if (event.defaultPrevented || (!shortcut && !slash) || (slash && opened !== null)) return;
    event.preventDefault();
    if (opened === 'palette') setOpened(null);
    else open('palette');
  });

  const aside = useAside();
  const close = () => setOpened(null);

  return (
    <>
      <AppFrame
        homeHref={teamPath(teamSlug)}
        team={<Teams team={team} onCreate={() => open('team')} />}
        nav={sections(teamSlug, pathname, platform_role !== null)}
        crumbs={crumbsOf(matches)}
        onSearch={() => open('palette')}
        operations={<Operations teamSlug={teamSlug} />}
        announcements={
          announcements === undefined && stream !== 'polling' && !view_as ? undefined : (
            <>
              {view_as && <ViewAsBanner viewing={view_as} />}
              {announcements}
              {stream === 'polling' && (
                <Notice bar tone="attention" title="Live updates do not get through">
                  This page asks the server every few seconds instead.
                </Notice>
              )}
            </>
          )
        }
        notifications={bell}
        account={<Account />}
        {...aside}
        pageKey={pathname}
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
