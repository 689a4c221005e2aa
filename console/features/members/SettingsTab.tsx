import { styled } from '@mui/material/styles';
import { useMay, useTeam } from '../../api/session';
import { AddressPanel } from './AddressPanel';
import { DeleteTeamPanel } from './DeleteTeamPanel';
import { LeavePanel } from './LeavePanel';
import { NamePanel } from './NamePanel';
import { TransferPanel } from './TransferPanel';

const Narrow = styled('div')({ maxWidth: 680 });

/** What the team is called, where it is found, whose it is, and its end. */
export function SettingsTab({ teamSlug }: { teamSlug: string }) {
  const team = useTeam(teamSlug);
  const settings = useMay('team.settings', teamSlug);
  const owning = useMay('team.delete', teamSlug);
  return (
    <Narrow>
      <NamePanel key={team.name} team={team} may={settings} />
      <AddressPanel key={team.slug} team={team} may={settings} />
      <TransferPanel team={team} may={owning} />
      <LeavePanel team={team} />
      <DeleteTeamPanel team={team} may={owning} />
    </Narrow>
  );
}
