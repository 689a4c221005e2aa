import EyeIcon from 'lucide-react/icons/eye';
import BanIcon from 'lucide-react/icons/ban';
import { useQuery } from '@tanstack/react-query';
import {
  listAdminTeepodsOptions,
  listAdminUsersOptions,
} from '../../generated/api/@tanstack/react-query.gen';
import { useSession } from '../api/session';
import { isAllowed, teepodActions } from '../lib/hosts/allowedActions';
import { adminPath } from '../lib/paths';
import type { Command } from '../ui/layout/CommandPalette';

const MATCHES = 8;

/** The words after a verb, or null if the query starts with another one. */
function namedAfter(verb: RegExp, query: string): string | null {
  const match = verb.exec(query);
  return match === null ? null : query.slice(match[0].length).trim();
}

/** The first rows that match `q`. */
const matching = (q: string) => ({
  query: { filter: JSON.stringify({ q }), range: JSON.stringify([0, MATCHES - 1]) },
});

/** What staff do from anywhere: cordon a teepod, view as a user. The admin area asks before it does either. */
export function useStaffCommands(query: string): Command[] {
  const { platform_permissions: may } = useSession();
  const host = namedAfter(/^(un)?cordon\b/i, query);
  const user = namedAfter(/^view as\b/i, query);
  const mayCordon = may.includes('admin.infra.write');
  const mayView = may.includes('admin.users.view_as');
  const teepods = useQuery({
    ...listAdminTeepodsOptions(matching(host ?? '')),
    enabled: mayCordon && host !== null && host !== '',
  });
  const users = useQuery({
    ...listAdminUsersOptions(matching(user ?? '')),
    enabled: mayView && user !== null && user !== '',
  });
  return [
    ...(mayCordon
      ? [
          {
            id: 'cordon',
            group: 'Admin',
            label: 'Cordon a teepod',
            keywords: 'uncordon host close',
            icon: <BanIcon />,
            href: adminPath('infra', 'teepods'),
          },
        ]
      : []),
    ...(teepods.data ?? []).map((teepod) => {
      const action = isAllowed(teepodActions.cordon, teepod.state) ? 'cordon' : 'uncordon';
      return {
        id: `${action}-${teepod.id}`,
        group: 'Admin',
        label: `${action === 'cordon' ? 'Cordon' : 'Uncordon'} ${teepod.name}`,
        detail: 'Teepod',
        keywords: query,
        icon: <BanIcon />,
        href: `${adminPath('infra', 'teepods', String(teepod.id))}?action=${action}`,
      };
    }),
    ...(mayView
      ? [
          {
            id: 'view-as',
            group: 'Admin',
            label: 'View as a user',
            keywords: 'impersonate support',
            icon: <EyeIcon />,
            href: adminPath('users'),
          },
        ]
      : []),
    ...(users.data ?? []).map(({ id, username, email }) => ({
      id: `view-as-${id}`,
      group: 'Admin',
      label: `View as ${username}`,
      detail: email ?? '',
      keywords: query,
      icon: <EyeIcon />,
      href: `${adminPath('users', String(id))}?action=view-as`,
    })),
  ];
}
