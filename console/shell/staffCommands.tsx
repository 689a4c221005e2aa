import EyeIcon from 'lucide-react/icons/eye';
import ArrowRightFromLineIcon from 'lucide-react/icons/arrow-right-from-line';
import BanIcon from 'lucide-react/icons/ban';
import type { AdminTeepod, AdminUser, Session } from '../../generated/api/types.gen';
import { offeredIn, teepodActions, type TeepodState } from '../lib/hosts/allowedActions';
import { adminPath } from '../lib/paths';
import type { Command } from '../ui/layout/CommandPalette';

/** Returns the words after a verb; null if the query starts differently. */
function namedAfter(verb: RegExp, query: string): string | null {
  const match = verb.exec(query);
  return match === null ? null : query.slice(match[0].length).trim();
}

/** Returns the names after staff verbs in the query: "cordon eu-1", "view as alice". */
export const staffSearch = (query: string) => ({
  host: namedAfter(/^((un)?cordon|drain)\b/i, query),
  user: namedAfter(/^view as\b/i, query),
});

interface Found {
  teepods: readonly Pick<AdminTeepod, 'id' | 'name' | 'state'>[] | undefined;
  users:
    | readonly Pick<AdminUser, 'id' | 'public_id' | 'username' | 'email' | 'state' | 'platform_role'>[]
    | undefined;
}

/** Returns the staff commands allowed by the role and the matches' states. */
export function staffCommands(
  { user: self, platform_role, platform_permissions: may }: Session,
  query: string,
  { teepods = [], users = [] }: Found,
): Command[] {
  return [
    ...(may.includes('admin.infra.write') ? hostCommands(query, teepods) : []),
    ...(may.includes('admin.users.view_as')
      ? viewAsCommands(
          query,
          users.filter(
            ({ public_id, state, ...user }) =>
              state === 'active' &&
              public_id !== self?.id &&
              (user.platform_role === null || platform_role === 'admin'),
          ),
        )
      : []),
  ];
}

const HOST_VERBS = { cordon: 'Cordon', uncordon: 'Uncordon', drain: 'Drain' } as const;
type HostVerb = keyof typeof HOST_VERBS;

const hostIcons: Readonly<Record<HostVerb, Command['icon']>> = {
  cordon: <BanIcon />,
  uncordon: <BanIcon />,
  drain: <ArrowRightFromLineIcon />,
};

const hostCommand = (verb: HostVerb, over: Pick<Command, 'id' | 'label' | 'href' | 'keywords'>): Command => ({
  group: 'Admin',
  icon: hostIcons[verb],
  ...over,
});

function hostCommands(query: string, teepods: NonNullable<Found['teepods']>): Command[] {
  const verb: HostVerb = /^drain\b/i.test(query)
    ? 'drain'
    : /^uncordon\b/i.test(query)
      ? 'uncordon'
      : 'cordon';
  const list = adminPath('infra', 'teepods');
  const states = offeredIn<TeepodState>(teepodActions[verb]);
  return [
    hostCommand('cordon', {
      id: 'cordon',
      label: 'Cordon a teepod',
      keywords: 'uncordon host close',
      href: list,
    }),
    hostCommand('drain', { id: 'drain', label: 'Drain a teepod', keywords: 'host empty move', href: list }),
    ...teepods
      .filter(({ state }) => states.includes(state))
      .map(({ id, name }) => ({
        ...hostCommand(verb, {
          id: `${verb}-${id}`,
          label: `${HOST_VERBS[verb]} ${name}`,
          keywords: query,
          href: `${adminPath('infra', 'teepods', String(id))}?action=${verb}`,
        }),
        detail: 'Teepod',
      })),
  ];
}

const viewAsCommands = (query: string, users: NonNullable<Found['users']>): Command[] => [
  {
    id: 'view-as',
    group: 'Admin',
    label: 'View as a user',
    keywords: 'impersonate support',
    icon: <EyeIcon />,
    href: adminPath('users'),
  },
  ...users.map(({ id, username, email }) => ({
    id: `view-as-${id}`,
    group: 'Admin',
    label: `View as ${username}`,
    detail: email ?? '',
    keywords: query,
    icon: <EyeIcon />,
    href: `${adminPath('users', String(id))}?action=view-as`,
  })),
];
