import { EmptyHome } from '../features/apps/launch/EmptyHome';
import { useStart } from './-useStart';

/** The first steps for a team without apps. */
export function EmptyTeam({ teamSlug }: { teamSlug: string }) {
  const { onStart, dialog } = useStart(teamSlug);
  return (
    <>
      <EmptyHome teamSlug={teamSlug} onStart={onStart} />
      {dialog}
    </>
  );
}
