import { sql, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { Json } from '../core/json';
import { tellDecided } from '../notifications/financeNotices';

/** One row per action of staff that moves a team's money, while approvals are configured (migration 0131). */
export interface FinanceActionsTable {
  id: GeneratedAlways<number>;
  action: AdminFinanceAction['action'];
  path: Json;
  body: Json;
  /** Null: of no single team. */
  team_id: number | null;
  target: string;
  amount_micros: number;
  reason: string;
  state: 'pending' | 'done' | 'rejected' | 'failed';
  requested_by: number;
  expires_at: Date;
  decided_by: number | null;
  decided_at: Date | null;
  decision: string | null;
  /** When its requester was notified that nobody decided in time. */
  expiry_told_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type FinanceAction = Selectable<FinanceActionsTable>;

export interface FinanceActionListed extends Omit<FinanceAction, 'path' | 'state' | 'expiry_told_at'> {
  state: AdminFinanceAction['state'];
}

/** A pending action expires when its time is over. */
const STATE = sql`case when a.state = 'pending' and a.expires_at <= now() then 'expired' else a.state end`;

export const adminFinanceActions: AdminListSource<FinanceActionListed> = {
  fields: {
    id: 'integer',
    action: 'text',
    team_id: 'integer',
    target: 'text',
    amount: 'none',
    reason: 'text',
    request: 'none',
    state: 'text',
    requested_by: 'integer',
    expires_at: 'time',
    decided_by: 'integer',
    decided_at: 'time',
    decision: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminFinanceAction, AdminFieldKind>,
  searched: ['target', 'reason'],
  select: sql<FinanceActionListed>`
    select a.id, a.action, a.body, a.team_id, a.target, a.amount_micros, a.reason,
      ${STATE} as state, a.requested_by, a.expires_at, a.decided_by, a.decided_at, a.decision, a.created_at, a.updated_at
    from finance_actions a`,
};

export type NewFinanceAction = Pick<
  FinanceAction,
  'action' | 'path' | 'body' | 'team_id' | 'target' | 'amount_micros' | 'reason' | 'requested_by'
>;

/**
 * Makes actions of one user wait for each other until the transaction ends. @returns what that user did without an approval
 * since `since` that one team can have, in micro-dollars: what was done for it, and what any team can use, such as codes. For
 * an action of no single team, of the team for which most was done.
 */
export async function lockOwnActions(
  trx: Tx,
  { requested_by, team_id }: Pick<FinanceAction, 'requested_by' | 'team_id'>,
  since: Date,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`finance ${requested_by}`}, 0))`.execute(trx);
  const { rows } = await sql<{ sum: number }>`
    with done as (
      select team_id, sum(amount_micros) as sum from finance_actions
      where requested_by = ${requested_by} and state = 'done' and decided_by is null and decided_at > ${since}
      group by team_id
    )
    select (coalesce((select sum from done where team_id is null), 0)
      + coalesce((select max(sum) from done where team_id = coalesce(${team_id}::bigint, team_id)), 0))::bigint as sum`.execute(
    trx,
  );
  return rows[0]?.sum ?? 0;
}

/** Stores an action: waiting for an approval, the same one again if it already waits, or done without one. */
export async function insertFinanceAction(
  trx: Tx,
  { path, body, ...action }: NewFinanceAction,
  { state, expires_at }: Pick<FinanceAction, 'state' | 'expires_at'>,
): Promise<{ id: number; isNew: boolean }> {
  const waiting =
    state === 'pending'
      ? await trx
          .selectFrom('finance_actions')
          .select('id')
          .where('requested_by', '=', action.requested_by)
          .where('team_id', 'is not distinct from', action.team_id)
          .where('action', '=', action.action)
          .where('state', '=', 'pending')
          .where('expires_at', '>', new Date())
          .where(
            sql<boolean>`path = ${JSON.stringify(path)}::jsonb and body = ${JSON.stringify(body)}::jsonb`,
          )
          .executeTakeFirst()
      : undefined;
  if (waiting) return { id: waiting.id, isNew: false };
  const { id } = await trx
    .insertInto('finance_actions')
    .values({
      ...action,
      path: sql`${JSON.stringify(path)}::jsonb`,
      body: sql`${JSON.stringify(body)}::jsonb`,
      state,
      expires_at,
      decided_at: state === 'pending' ? null : new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, isNew: true };
}

/** Returns an action with its requester's role, locked until the transaction ends. */
export const lockFinanceAction = (trx: Db | Tx, id: number) =>
  trx
    .selectFrom('finance_actions as a')
    .innerJoin('users as u', 'u.id', 'a.requested_by')
    .selectAll('a')
    .select(['u.platform_role', 'u.state as requester_state', 'u.username as requester'])
    .where('a.id', '=', id)
    .forUpdate('a')
    .executeTakeFirst();

export async function decideFinanceAction(
  trx: Tx,
  id: number,
  decision: { state: 'done' | 'rejected'; decided_by: number; decision: string | null },
): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('finance_actions')
    .set({ ...decision, decided_at: now, updated_at: now })
    .where('id', '=', id)
    .execute();
  await tellDecided(trx, id, now);
}

/** Notes that what was approved, or needed no approval, could not be carried out. It no longer counts toward the limit. */
export async function failFinanceAction(trx: Tx, id: number, decision: string): Promise<void> {
  const now = new Date();
  const failed = await trx
    .updateTable('finance_actions')
    .set({ state: 'failed', decision: decision.slice(0, 500), updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .executeTakeFirst();
  if (failed.numUpdatedRows > 0n) await tellDecided(trx, id, now);
}
