import type { ErrorComponentProps } from '@tanstack/react-router';
import { findTeam, useSession } from '../api/session';
import { Announcements } from '../features/announcements/Announcements';
import { TeamGate } from '../features/auth/TeamGate';
import { UnverifiedBanner } from '../features/auth/UnverifiedBanner';
import { RouteError } from '../features/fallback/RouteError';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../features/shell/Shell';
import { SsoButton } from '../features/sso/SsoButton';

/** The shell around pages of a team. */
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

/** What stands in for it: what the team asks of the session, or why there is none. */
export function TeamFault({ teamSlug, ...props }: ErrorComponentProps & { teamSlug: string | undefined }) {
  const team = findTeam(useSession(), teamSlug ?? '');
  if (!team || team.refused === null) return <RouteError {...props} />;
  const here = location.pathname + location.search;
  return <TeamGate team={team} sso={<SsoButton by={{ team_slug: team.slug }} next={here} />} />;
}
