import PlusIcon from 'lucide-react/icons/plus';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useMatches } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { listAppsOptions } from '../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../api/client';
import { permissionsIn, useSession, useTeam } from '../api/session';
import { appTabs } from '../lib/cvms/cvmTabs';
import { appPath, cvmAddressIn } from '../lib/paths';
import { cutWhole } from '../lib/texts/cutWhole';
import { CommandPalette, type Command } from '../ui/layout/CommandPalette';
import { useRecentPlaces } from '../ui/layout/recentPlaces';
import { useThemeCommands } from '../ui/layout/useThemeCommands';
import { useSettled } from '../ui/useSettled';
import { accountPages, cvmPages, recentCommands, signOutCommand, teams } from './commands';
import { useSignOut } from './useSignOut';
import { foundPlaces } from './foundPlaces';
import { placeOf } from './place';
import { publicPages } from './publicCommands';
import { memberActions, startCommands, teamPages } from './teamCommands';
import { useStaffCommands } from './useStaffCommands';
import { nothingTo, verbCommands, withoutVerb } from './verbCommands';

interface Props {
  open: boolean;
  onClose: () => void;
  teamSlug: string;
  onCreateTeam: () => void;
}

/** Command palette: every page and common action. Apps and CVMs are searched on the server. */
export function Palette({ open, onClose, teamSlug, onCreateTeam }: Props) {
  const [query, setQuery] = useState('');
  // "stop web-1" searches for web-1.
  const search = useSettled(withoutVerb(query.trim()), 150);
  const session = useSession();
  const signOut = useSignOut();
  const themes = useThemeCommands();
  const address = useMatches({
    select: (matches) => matches.map((match) => cvmAddressIn(match.loaderData)).find(Boolean),
  });
  const appId = useMatches({
    select: (matches) =>
      matches.map(({ params }) => ('appId' in params ? params.appId : undefined)).find(Boolean),
  });
  const permissions = permissionsIn(useTeam(teamSlug));
  const operate = permissions.includes('cvms.operate');
  const change = permissions.includes('cvms.write');
  const { pathname, searchStr } = useLocation();
  const here = placeOf(teamSlug, pathname, new URLSearchParams(searchStr).get('tab'));
  const recent = useRecentPlaces(session.user?.id, here);
  const hasQuery = query.trim() !== '';
  const settled = useSettled(query.trim(), 150);
  const staff = useStaffCommands(settled);
  const { data, isPlaceholderData, isLoading } = useQuery({
    ...listAppsOptions({
      ...inTeam(teamSlug),
      query: { page_size: 50, ...(search === '' ? {} : { search: cutWhole(search, 200) }) },
    }),
    enabled: open,
    placeholderData: keepPreviousData,
  });

  const isSettled = settled === query.trim() && search === withoutVerb(query.trim());
  const isCurrent = data !== undefined && !isPlaceholderData && isSettled;
  const isSearching = hasQuery && (!isSettled || isLoading || isPlaceholderData || staff.isSearching);
  const verbs = useMemo(
    () =>
      hasQuery
        ? (data?.dstack_apps ?? []).flatMap((app) => verbCommands(app, teamSlug, { operate, change }))
        : [],
    [data, hasQuery, teamSlug, operate, change],
  );
  const commands = useMemo<Command[]>(
    () => [
      ...(hasQuery ? [] : recentCommands(recent)),
      ...foundPlaces(data?.dstack_apps ?? [], teamSlug, hasQuery),
      ...teamPages(teamSlug, { staff: session.platform_role !== null, permissions }),
      ...(change ? startCommands(teamSlug) : []),
      ...accountPages(),
      ...cvmPages(address, session.environment.agent_framework),
      ...appPages(teamSlug, appId),
      ...verbs,
      ...(isCurrent ? nothingTo(query, teamSlug, { operate, change }, verbs) : []),
      ...staff.commands,
      ...teams(session, teamSlug),
      ...memberActions(teamSlug, permissions),
      {
        id: 'create-team',
        group: 'Actions',
        label: 'Create team',
        icon: <PlusIcon />,
        onSelect: onCreateTeam,
      },
      ...publicPages(session.environment.agent_framework),
      ...themes,
      signOutCommand(signOut),
    ],
    // The theme and sign-out commands change identity on every render but never behavior.
    // oxlint-disable-next-line react/exhaustive-deps
    [
      teamSlug,
      session,
      address,
      appId,
      data,
      isCurrent,
      query,
      hasQuery,
      verbs,
      operate,
      change,
      permissions,
      here,
      staff.commands,
    ],
  );

  return (
    <CommandPalette
      open={open}
      onClose={() => {
        setQuery('');
        onClose();
      }}
      commands={commands}
      onQuery={setQuery}
      isSearching={isSearching}
      placeholder="Search apps, CVMs, pages and actions"
    />
  );
}

function appPages(teamSlug: string, appId: string | undefined): Command[] {
  if (appId === undefined) return [];
  return appTabs.map(({ tab, label, keywords }) => ({
    id: `app-tab-${tab}`,
    group: 'This app',
    label,
    keywords,
    icon: <LayoutGridIcon />,
    href: appPath(teamSlug, appId, tab),
  }));
}
