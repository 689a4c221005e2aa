import { useMay } from '../../api/session';
import { InvitationsPanel } from './InvitationsPanel';
import { MembersTable } from './MembersTable';

/** Who is in the team, and who is asked to be. */
export function MembersTab({ teamSlug }: { teamSlug: string }) {
  const may = useMay('team.members', teamSlug);
  return (
    <>
      <MembersTable teamSlug={teamSlug} />
      {may.allowed && <InvitationsPanel teamSlug={teamSlug} />}
    </>
  );
}
