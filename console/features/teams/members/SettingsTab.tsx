import styled from '@emotion/styled';
import { useMay, useTeam } from '../../../api/session';
import { Sections } from '../../../ui/layout/Sections';
import { AddressPanel } from './AddressPanel';
import { DataPanel } from './DataPanel';
import { DeleteTeamPanel } from './DeleteTeamPanel';
import { LeavePanel } from './LeavePanel';
import { NamePanel } from './NamePanel';
import { TransferPanel } from './TransferPanel';

const Narrow = styled(Sections)({ maxWidth: 680 });

/** Name, address, data, transfer, leaving and deletion. */
export function SettingsTab({ teamSlug }: { teamSlug: string }) {
  const team = useTeam(teamSlug);
  const settings = useMay('team.settings', teamSlug);
  const owning = useMay('team.delete', teamSlug);
  return (
    <Narrow>
      <NamePanel key={team.id} team={team} may={settings} />
      <AddressPanel key={team.id} team={team} may={settings} />
      <DataPanel team={team} />
      <TransferPanel team={team} may={owning} />
      <LeavePanel team={team} />
      <DeleteTeamPanel team={team} may={owning} />
    </Narrow>
  );
}
