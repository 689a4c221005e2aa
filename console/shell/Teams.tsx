import PlusIcon from 'lucide-react/icons/plus';
import { useRouterState } from '@tanstack/react-router';
import type { SessionTeam } from '../../generated/api/types.gen';
import { useSession } from '../api/session';
import { deployPath, teamPath } from '../lib/paths';
import type { MenuEntry } from '../ui/controls/MenuButton';
import { TeamSwitcher } from '../ui/layout/Menus';

/** Team switcher. Keeps the current section if it exists in the other team. */
export function Teams({ team, onCreate }: { team: SessionTeam; onCreate: () => void }) {
  const { teams } = useSession();
  const deploying = useRouterState({ select: (state) => state.location.pathname === deployPath(team.slug) });
  const entries: MenuEntry[] = [
    { id: 'heading', heading: 'Teams' },
    ...teams.map(({ slug, name, role }): MenuEntry => ({
      id: slug,
      label: name,
      detail: `${slug} · ${role}`,
      href: deploying ? deployPath(slug) : teamPath(slug),
      role: 'menuitemradio',
      checked: slug === team.slug,
    })),
    { id: 'rule', rule: true },
    { id: 'create', label: 'Create team…', icon: <PlusIcon />, onSelect: onCreate },
  ];
  return <TeamSwitcher name={team.name} entries={entries} />;
}
