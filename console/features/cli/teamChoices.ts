import type { SessionTeam } from '../../../generated/api/types.gen';
import type { Choice } from '../../ui/forms/SelectInput';
import { roleName } from '../../api/roles';

/** Why a login cannot act for the team; undefined when it can. */
function reason({ permissions, role, refused }: SessionTeam): string | undefined {
  if (refused === 'second_factor') return 'asks for a second factor';
  if (refused === 'sso') return 'asks for single sign-on';
  // A login is a token: the server asks for the same permission.
  if (!permissions.includes('tokens.write')) return `a ${roleName(role).toLowerCase()} makes no tokens`;
  return undefined;
}

/** Every team of the person; those that cannot be chosen say why. */
export const teamChoices = (teams: readonly SessionTeam[]): Choice[] =>
  teams.map((team) => {
    const why = reason(team);
    return {
      value: team.slug,
      label: `${team.name} (${why ?? roleName(team.role).toLowerCase()})`,
      disabled: why !== undefined,
    };
  });

/** The default team if it can be chosen, else the first that can. */
export function firstChoice(teams: readonly SessionTeam[]): string | undefined {
  const usable = teams.filter((team) => reason(team) === undefined);
  return (usable.find((team) => team.is_default) ?? usable[0])?.slug;
}
