import { useLocation, useMatches } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session';
import { cvmAddressIn } from '../lib/paths';
import { CommandPalette } from '../ui/layout/CommandPalette';
import { useRecentPlaces } from '../ui/layout/recentPlaces';
import { useThemeCommands } from '../ui/layout/useThemeCommands';
import { accountPages, adminPages, cvmPages, recentCommands, signOutCommand, teams } from './commands';
import { useSettled } from '../ui/useSettled';
import { useSignOut } from './useSignOut';
import { publicPages } from './publicCommands';
import { useStaffCommands } from './useStaffCommands';

interface Props {
  area: 'account' | 'admin';
  open: boolean;
  onClose: () => void;
}

/** Command palette of pages outside the user's teams: account settings and staff views of CVMs. */
export function AreaPalette({ area, open, onClose }: Props) {
  const session = useSession();
  const signOut = useSignOut();
  const themes = useThemeCommands();
  const address = useMatches({
    select: (matches) => matches.map((match) => cvmAddressIn(match.loaderData)).find(Boolean),
  });
  const recent = useRecentPlaces(session.user?.id, useLocation().pathname);
  const [query, setQuery] = useState('');
  const settled = useSettled(query.trim(), 150);
  const staff = useStaffCommands(settled);
  const account = accountPages();
  const admin = adminPages(session);
  return (
    <CommandPalette
      open={open}
      onClose={() => {
        setQuery('');
        onClose();
      }}
      onQuery={setQuery}
      isSearching={session.platform_role !== null && (settled !== query.trim() || staff.isSearching)}
      placeholder="Search pages, teams and actions"
      commands={[
        ...recentCommands(recent),
        ...cvmPages(address, session.environment.agent_framework),
        ...(area === 'account' ? [...account, ...admin] : [...admin, ...account]),
        ...staff.commands,
        ...teams(session),
        ...publicPages(session.environment.agent_framework),
        ...themes,
        signOutCommand(signOut),
      ]}
    />
  );
}
