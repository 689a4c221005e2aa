import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  listAdminTeepodsOptions,
  listAdminUsersOptions,
} from '../../generated/api/@tanstack/react-query.gen';
import { useSession } from '../api/session';
import type { Command } from '../ui/layout/CommandPalette';
import { staffCommands, staffSearch } from './staffCommands';

const MATCHES = 8;

/** Query for the first matching rows. */
const matching = (filter: Readonly<Record<string, string>>) => ({
  query: { filter: JSON.stringify(filter), range: JSON.stringify([0, MATCHES - 1]) },
});

/**
 * Staff actions available everywhere: cordon or drain a teepod, view as a user. The admin area asks for
 * confirmation. The list changes its identity only when a command changes.
 */
export function useStaffCommands(query: string): { commands: Command[]; isSearching: boolean } {
  const session = useSession();
  const { platform_permissions: may } = session;
  const { host, user } = staffSearch(query);
  const teepods = useQuery({
    ...listAdminTeepodsOptions(matching(host ? { q: host } : {})),
    enabled: may.includes('admin.infra.write') && host !== null,
  });
  const users = useQuery({
    ...listAdminUsersOptions(matching({ ...(user ? { q: user } : {}), state: 'active' })),
    enabled: may.includes('admin.users.view_as') && user !== null,
  });
  const commands = useMemo(
    () => staffCommands(session, query, { teepods: teepods.data, users: users.data }),
    [session, query, teepods.data, users.data],
  );
  return { commands, isSearching: teepods.isLoading || users.isLoading };
}
