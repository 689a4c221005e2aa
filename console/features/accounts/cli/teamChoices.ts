import type { SessionTeam } from '../../../../generated/api/types.gen';
import type { Choice } from '../../../ui/forms/SelectInput';
import { roleName } from '../../../api/roles';

/** Returns why a login can't be limited to the team; undefined if it can. */
function reason({ permissions, role, refused }: SessionTeam): string | undefined {
  if (refused === 'second_factor') return 'requires a second factor';
  if (refused === 'sso') return 'requires single sign-on';
  // A login is a token, so the server requires the same permission.
  if (!permissions.includes('tokens.write')) return `${roleName(role).toLowerCase()} can’t create tokens`;
  return undefined;
}

/** Lists all of the user's teams; unavailable ones state the reason. */
export const teamChoices = (teams: readonly SessionTeam[]): Choice[] =>
  teams.map((team) => {
    const why = reason(team);
    return {
      value: team.slug,
      label: `${team.name} (${why ?? roleName(team.role).toLowerCase()})`,
      disabled: why !== undefined,
    };
  });

/** Returns the default team if available, else the first available one. */
export function firstChoice(teams: readonly SessionTeam[]): string | undefined {
  const usable = teams.filter((team) => reason(team) === undefined);
  return (usable.find((team) => team.is_default) ?? usable[0])?.slug;
}
