import { EmptyHome } from '../features/apps/launch/EmptyHome';
import { useStart } from './-useStart';

/** What a team without apps starts with. */
export function EmptyTeam({ teamSlug }: { teamSlug: string }) {
  return <EmptyHome teamSlug={teamSlug} {...useStart(teamSlug)} />;
}
