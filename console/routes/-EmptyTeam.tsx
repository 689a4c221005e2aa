import { EmptyHome } from '../features/apps/launch/EmptyHome';
import { useStart } from './-useStart';

/** The first steps for a team without apps. */
export function EmptyTeam({ teamSlug }: { teamSlug: string }) {
  return <EmptyHome teamSlug={teamSlug} {...useStart(teamSlug)} />;
}
