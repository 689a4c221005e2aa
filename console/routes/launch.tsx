import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { LaunchPage } from '../features/apps/launch/LaunchPage';
import { launchSearch } from '../features/apps/launch/search';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { launchPath } from '../lib/paths';
import { CanonicalLink } from '../ui/layout/CanonicalLink';
import { requireDefaultTeam } from './-next';
import { TeamFault } from './-TeamFrame';
import { useStart } from './-useStart';

/** Addresses without a team use the default team. */
export const Route = createFileRoute('/launch')({
  validateSearch: launchSearch,
  beforeLoad: ({ context, location }) => ({ team: requireDefaultTeam(context.session, location.href) }),
  staticData: { crumb: null /* under no team */, title: 'Launch' },
  component: function Launch() {
    const { slug } = Route.useRouteContext().team;
    const { onStart, dialog } = useStart(slug);
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <LaunchPage teamSlug={slug} search={Route.useSearch()} base="/launch" onStart={onStart} />
        {dialog}
        <CanonicalLink href={launchPath(slug)} />
      </Shell>
    );
  },
  errorComponent: function LaunchError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
