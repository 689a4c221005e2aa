import type { ErrorComponentProps } from '@tanstack/react-router';
import { findTeam, useSession } from '../api/session';
import { Announcements } from '../features/announcements/Announcements';
import { TeamGate } from '../features/accounts/auth/TeamGate';
import { UnverifiedBanner } from '../features/accounts/auth/UnverifiedBanner';
import { RouteError } from '../shell/fallback/RouteError';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { SsoButton } from '../features/teams/sso/SsoButton';

/** The shell around team pages. */
export function TeamFrame({ teamSlug }: { teamSlug: string }) {
  const { user } = useSession();
  return (
    <Shell
      teamSlug={teamSlug}
      bell={<Bell />}
      announcements={
        <>
          {user?.email_verified === false && <UnverifiedBanner user={user} />}
          <Announcements />
        </>
      }
    />
  );
}

/** Replaces a team's pages if the session can't open them: shows the sign-in policy, or why there is no team. */
export function TeamFault({ teamSlug, ...props }: ErrorComponentProps & { teamSlug: string | undefined }) {
  const team = findTeam(useSession(), teamSlug ?? '');
  if (!team || team.refused === null) return <RouteError {...props} />;
  const here = location.pathname + location.search;
  return <TeamGate team={team} sso={<SsoButton by={{ team_slug: team.slug }} next={here} />} />;
}
