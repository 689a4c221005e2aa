import { sharedTeams, soleTeams, type HeldTeam } from '../../db/accounts/accounts';
import { fundsOf } from '../../db/billing/funds';
import type { Db, Tx } from '../../db/core/client';
import { deletionOf, type TeamDeletion } from '../../db/teams/teamDeletion';
import { moneyRefusal, type Funds } from '../../domain/billing/funds';
import { Problem } from '../../domain/core/problem';

interface AccountDeletion {
  /** Teams that have no other owner. They are deleted with the account, or block its deletion. */
  teams: (HeldTeam & { deletion: TeamDeletion })[];
  refusal: Problem | null;
}

/** Returns what deleting an account would do to its user's teams, and the reason if it can't be deleted. */
export async function accountDeletion(
  db: Db | Tx,
  user_id: number,
  billingEnforced: boolean,
): Promise<AccountDeletion> {
  const teams: AccountDeletion['teams'] = [];
  for (const team of await soleTeams(db, user_id))
    teams.push({ ...team, deletion: await deletionOf(db, team.id, 0) });
  const held = heldRefusal(teams);
  if (held || !billingEnforced) return { teams, refusal: held };
  const owing: Owing[] = teams.map(({ deletion, ...team }) => ({
    ...team,
    funds: deletion,
    cap: 0,
    has_cvms: false,
  }));
  for (const team of await sharedTeams(db, user_id)) {
    const funds = await fundsOf(db, team.id);
    owing.push({ ...team, funds, cap: funds.cap, has_cvms: true });
  }
  return { teams, refusal: debtRefusal(owing) };
}

/** Reports every blocking team in one error, with what to do about each. */
function heldRefusal(teams: readonly HeldTeam[]): Problem | null {
  const held = teams.filter(({ other_members, cvms }) => other_members > 0 || cvms > 0);
  if (held.length === 0) return null;
  const orphaned = held.some(({ other_members }) => other_members > 0);
  return new Problem(orphaned ? 'LAST_OWNER' : 'CONFLICT', {
    message: `Your account can't be deleted yet: ${held.map(({ name }) => `“${name}”`).join(', ')} would be left behind.`,
    details: held.map(({ slug, name, other_members, cvms }) => ({
      field: 'teams',
      message:
        other_members > 0
          ? `You are the only owner of “${name}”, and it has ${other_members === 1 ? 'another member' : `${other_members} other members`}. Transfer or delete it.`
          : `“${name}” has ${cvms === 1 ? 'a CVM' : `${cvms} CVMs`}: delete ${cvms === 1 ? 'it' : 'them'} first.`,
      value: { slug, name, other_members, cvms },
    })),
  });
}

interface Owing extends Pick<HeldTeam, 'slug' | 'name'> {
  funds: Pick<Funds, 'balance' | 'held'>;
  /** Micro-dollars of debt allowed. */
  cap: number;
  has_cvms: boolean;
}

/** Applies the rules for deleting a team, which would end its debt, and for an owner leaving it to the others. */
function debtRefusal(teams: readonly Owing[]): Problem | null {
  const details = teams.flatMap(({ slug, name, funds, cap, has_cvms }) => {
    const message = moneyRefusal(`“${name}”`, funds, { cap, has_cvms });
    return message === null ? [] : [{ field: 'teams', message, value: { slug, name } }];
  });
  if (details.length === 0) return null;
  return new Problem('CONFLICT', {
    message: `Your account can't be deleted yet: ${details.map(({ message }) => message).join(' ')}`,
    details,
  });
}
