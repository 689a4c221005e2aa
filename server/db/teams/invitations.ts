import { sql } from 'kysely';
import type { TeamRole } from '../../domain/core/caller';
import { INVITATION_DAYS, invitationProblem } from '../../domain/teams/invitation';
import { Problem } from '../../domain/core/problem';
import { publicId } from '../../domain/core/publicId';
import { mayGrant } from '../../domain/teams/roles';
import type { Db, Tx } from '../core/client';
import { addMember, lockTeam, roleOf } from './members';
import type { InvitationRow } from './invitationsTable';
import type { TeamRow } from './teamsTable';
import { setVerified } from '../accounts/users';

const expiry = () => sql<Date>`now() + ${`${INVITATION_DAYS} days`}::interval`;
const NOW = sql<Date>`now()`;

/** An invitation and who sent it. */
export interface SentInvitation extends InvitationRow {
  inviter_name: string | null;
}

const sent = (db: Db | Tx) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .selectAll('i')
    .select('u.username as inviter_name');

export interface InvitationQuery {
  team_id: number;
  state: InvitationRow['state'] | 'expired' | null;
  /** Only older than the one with this ID. */
  before: number | null;
  limit: number;
}

/** Newest first. */
export function listInvitations(db: Db, query: InvitationQuery): Promise<SentInvitation[]> {
  let rows = sent(db).where('i.team_id', '=', query.team_id);
  if (query.state === 'expired')
    rows = rows.where('i.state', '=', 'pending').where('i.expires_at', '<=', NOW);
  else if (query.state !== null) {
    rows = rows.where('i.state', '=', query.state);
    if (query.state === 'pending') rows = rows.where('i.expires_at', '>', NOW);
  }
  if (query.before !== null) rows = rows.where('i.id', '<', query.before);
  return rows.orderBy('i.id', 'desc').limit(query.limit).execute();
}

export function findInvitation(
  db: Db | Tx,
  team_id: number,
  public_id: string,
): Promise<SentInvitation | undefined> {
  return sent(db).where('i.team_id', '=', team_id).where('i.public_id', '=', public_id).executeTakeFirst();
}

/** Counts invitations that are still valid. */
export async function countPending(trx: Tx, team_id: number): Promise<number> {
  const row = await trx
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', NOW)
    .executeTakeFirstOrThrow();
  return row.n;
}

/** Whether an account with this address is in the team. */
export async function isMemberAddress(trx: Tx, team_id: number, email: string): Promise<boolean> {
  const row = await trx
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.team_id', '=', team_id)
    .where(sql`lower(u.email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewInvitation {
  team_id: number;
  email: string;
  role: TeamRole;
  token_hash: Buffer;
  invited_by: number;
}

/** Returns null when the address already has a valid one; an expired one is renewed. */
export async function createInvitation(
  trx: Tx,
  { team_id, email, role, token_hash, invited_by }: NewInvitation,
): Promise<InvitationRow | null> {
  const begun = { role, token_hash, invited_by, created_at: NOW, sent_at: NOW, expires_at: expiry() };
  const renewed = await trx
    .updateTable('invitations')
    .set(begun)
    .where('team_id', '=', team_id)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('state', '=', 'pending')
    .where('expires_at', '<=', NOW)
    .returningAll()
    .executeTakeFirst();
  if (renewed) return renewed;
  const made = await trx
    .insertInto('invitations')
    .values({ ...begun, public_id: publicId('inv'), team_id, email })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return made ?? null;
}

/**
 * Issues a new token valid for 7 more days; the old token stops working. Returns undefined when it is not
 * pending.
 */
export function renewInvitation(
  trx: Tx,
  id: number,
  change: { token_hash: Buffer; invited_by: number },
): Promise<InvitationRow | undefined> {
  return trx
    .updateTable('invitations')
    .set({ ...change, sent_at: NOW, expires_at: expiry() })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/** Returns false when it is no longer pending. */
export async function endInvitation(
  trx: Tx,
  id: number,
  end: { state: 'accepted' | 'declined' | 'revoked'; accepted_by?: number },
): Promise<boolean> {
  const done = await trx
    .updateTable('invitations')
    .set(end)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

/**
 * Revokes the pending invitations to these addresses, including expired ones, which could be renewed. @param
 * emails lower case
 */
export function revokeInvitationsTo(
  trx: Tx,
  team_id: number,
  emails: readonly string[],
): Promise<InvitationRow[]> {
  return trx
    .updateTable('invitations')
    .set({ state: 'revoked' })
    .where('team_id', '=', team_id)
    .where(sql`lower(email)`, 'in', emails)
    .where('state', '=', 'pending')
    .returningAll()
    .execute();
}

/** The inviter, while they have an account that can receive mail. */
interface Inviter {
  id: number;
  username: string;
  email: string;
}

/** A valid invitation. */
export interface OpenInvitation {
  invitation: InvitationRow;
  team: TeamRow;
  inviter: Inviter;
}

/** Returns the token's invitation. @throws LINK_INVALID with the reason */
export async function openInvitation(db: Db | Tx, token_hash: Buffer): Promise<OpenInvitation> {
  const invitation = await db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  const problem = invitationProblem(invitation ?? null, new Date());
  if (!invitation || problem !== null)
    throw new Problem('LINK_INVALID', problem === null ? {} : { message: problem });
  const team = await db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', invitation.team_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!team) throw new Problem('LINK_INVALID', { message: 'The team was deleted.' });
  const inviter =
    invitation.invited_by === null
      ? undefined
      : await db
          .selectFrom('users')
          .select(['id', 'username', 'email'])
          .where('id', '=', invitation.invited_by)
          .executeTakeFirst();
  const role = inviter ? await roleOf(db, team.id, inviter.id) : null;
  if (!inviter || role === null || !mayGrant(role, invitation.role))
    throw new Problem('LINK_INVALID', {
      message: 'The member who sent this invitation can no longer assign that role.',
      suggestions: ['Ask a team admin or owner for a new invitation.'],
    });
  return { invitation, team, inviter };
}

export interface TakenInvitation extends OpenInvitation {
  /** False when they were already in the team, in any role. */
  joined: boolean;
  /** The invitation confirmed their address. */
  verified: boolean;
}

/**
 * Adds a user to the team by their invitation, once. The link proves access to the mailbox, so the address
 * counts as confirmed from then on. @throws LINK_INVALID, WRONG_ACCOUNT
 */
export async function takeInvitation(
  trx: Tx,
  token_hash: Buffer,
  user: { id: number; email: string },
): Promise<TakenInvitation> {
  const seen = await openInvitation(trx, token_hash);
  // The invitation may have been used or revoked, or the team deleted, in the meantime.
  await lockTeam(trx, seen.team.id);
  const open = await openInvitation(trx, token_hash);
  const { invitation, team } = open;
  if (invitation.email.toLowerCase() !== user.email.toLowerCase())
    throw new Problem('WRONG_ACCOUNT', {
      message: `The invitation is for ${invitation.email}, and you are signed in as ${user.email}.`,
    });
  await endInvitation(trx, invitation.id, { state: 'accepted', accepted_by: user.id });
  const joined = await addMember(trx, { team_id: team.id, user_id: user.id, role: invitation.role });
  return { ...open, joined, verified: await setVerified(trx, user.id) };
}
