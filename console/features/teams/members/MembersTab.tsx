import { useMay } from '../../../api/session';
import { InvitationsPanel } from './InvitationsPanel';
import { MembersTable } from './MembersTable';
import { Sections } from '../../../ui/layout/Sections';

/** The members and pending invitations. */
export function MembersTab({ teamSlug, q }: { teamSlug: string; q: string | undefined }) {
  const may = useMay('team.members', teamSlug);
  return (
    <Sections>
      <div>
        <MembersTable teamSlug={teamSlug} search={q} />
      </div>
      {may.allowed && <InvitationsPanel teamSlug={teamSlug} />}
    </Sections>
  );
}
