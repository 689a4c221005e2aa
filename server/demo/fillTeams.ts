import { createTeam } from '../db/teams/teams';
import type { TeamRow } from '../db/teams/teamsTable';
import { createUser, setPlatformRole } from '../db/accounts/users';
import { saveBillingDetails } from '../db/billing/billingDetails';
import type { Tx } from '../db/core/client';
import { hashPassword } from '../domain/accounts/password';
import { demoHex, demoId } from './random';
import { DEMO_PASSWORD, HISTORY_HOURS, TEAMS, USERS, type DemoTeam } from './scenario';

/** Users and teams, created with the product's functions, with the same IDs in each demo. */

export interface FilledTeam {
  given: DemoTeam;
  team: TeamRow;
  owner: number;
  /** Members who deploy. */
  deployers: number[];
}

/** @returns the demo's users by address */
export async function fillUsers(trx: Tx, at: Date): Promise<Map<string, number>> {
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const users = new Map<string, number>();
  for (const { email, username, platform_admin, platform_role } of USERS) {
    const made = await createUser(trx, {
      email,
      username,
      password_hash,
      verified: true,
      admin: platform_admin,
      first: { verified: true, admin: true },
    });
    if (!made) throw new Error(`${email} has an account already`);
    await trx
      .updateTable('users')
      .set({ public_id: demoId('usr', email), created_at: beginning(at) })
      .where('id', '=', made.user.id)
      .execute();
    if (platform_role) await setPlatformRole(trx, made.user.id, platform_role);
    users.set(email, made.user.id);
  }
  return users;
}

export async function fillTeams(
  trx: Tx,
  users: ReadonlyMap<string, number>,
  at: Date,
): Promise<FilledTeam[]> {
  const filled: FilledTeam[] = [];
  const settled = new Set<number>();
  for (const given of TEAMS) {
    const members = given.members.map(({ email, role }) => ({ role, user_id: idOf(users, email) }));
    const owner = members.find(({ role }) => role === 'owner')?.user_id ?? 0;
    const is_default = !settled.has(owner);
    const { slug, name } = given;
    const made = await createTeam(trx, {
      slug,
      name,
      owner_id: owner,
      is_default,
      reserved: [],
      quota: null,
    });
    if (!made) throw new Error(`the team address ${slug} is taken`);
    settled.add(owner);
    for (const { user_id, role } of members) {
      if (role === 'owner') continue;
      await trx
        .insertInto('memberships')
        .values({ team_id: made.id, user_id, role, is_default: !settled.has(user_id) })
        .execute();
      settled.add(user_id);
    }
    const team = await trx
      .updateTable('teams')
      .set({
        public_id: demoId('wks', slug),
        wallet_address: `0x${demoHex(`wallet/${slug}`, 40)}`,
        created_at: beginning(at),
      })
      .where('id', '=', made.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (given.payer) await saveBillingDetails(trx, team.id, { ...given.payer, vat_id: null });
    const deployers = members.flatMap(({ role, user_id }) =>
      role === 'owner' || role === 'admin' || role === 'member' ? [user_id] : [],
    );
    filled.push({ given, team, owner, deployers });
  }
  return filled;
}

/** A week before everything else. */
const beginning = (at: Date) => new Date(at.getTime() - (HISTORY_HOURS + 168) * 3_600_000);

function idOf(users: ReadonlyMap<string, number>, email: string): number {
  const id = users.get(email);
  if (id === undefined) throw new Error(`${email} is not a user of the demo`);
  return id;
}
