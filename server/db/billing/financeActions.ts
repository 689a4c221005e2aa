import { sql, type Generated, type GeneratedAlways, type RawBuilder, type Selectable } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import { toJson, type Json } from '../core/json';
import { notifyDecided } from '../notifications/financeNotices';

/** One row per staff action that moves a team's money, while approvals are configured (migration 0131). */
export interface FinanceActionsTable {
  id: GeneratedAlways<number>;
  action: AdminFinanceAction['action'];
  path: Json;
  body: Json;
  /** Null: not for a single team. */
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
  /** When the requester was notified that nobody decided in time. */
  expiry_told_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type FinanceAction = Selectable<FinanceActionsTable>;

export interface FinanceActionListed extends Omit<FinanceAction, 'path' | 'state' | 'expiry_told_at'> {
  state: AdminFinanceAction['state'];
  target_id: string | null;
  /** Display name of the target: a payment's reference, or the name of the order or the team. */
  target_name: string;
  /** Null in lists. */
  moved_before_micros: number | null;
  /** Whether the caller requested it. */
  is_own: boolean;
}

/** Within this window, one administrator's actions for a team, or for any team, count together. */
export const APPROVAL_WINDOW_MS = 24 * 3_600_000;

/**
 * A user's actions without approval that could benefit one team, in micro-dollars: those for that team, and
 * those any team can use, such as codes. For actions of no single team, the team with the highest sum.
 */
const movedBy = ({
  user,
  team,
  since,
  until = sql`'infinity'`,
  except,
}: {
  user: RawBuilder<unknown>;
  team: RawBuilder<unknown>;
  since: RawBuilder<unknown>;
  until?: RawBuilder<unknown>;
  /** ID of an action that doesn't count. */
  except?: RawBuilder<unknown>;
}) => sql<number>`(
  select (coalesce(sum(done.sum) filter (where done.team_id is null), 0)
    + coalesce(max(done.sum) filter (where done.team_id = coalesce(${team}, done.team_id)), 0))::bigint
  from (
    select other.team_id, sum(other.amount_micros) as sum from finance_actions other
    where other.requested_by = ${user} and other.state = 'done' and other.decided_by is null
      and other.decided_at > ${since} and other.decided_at <= ${until}
      ${except ? sql`and other.id <> ${except}` : sql``}
    group by other.team_id) done)`;

/** A pending action expires when its time is over. */
const STATE = sql`case when a.state = 'pending' and a.expires_at <= now() then 'expired' else a.state end`;

/** What the requester of action `a` had moved by the time of the request. */
const MOVED_BEFORE = movedBy({
  user: sql`a.requested_by`,
  team: sql`a.team_id`,
  since: sql`a.created_at - make_interval(secs => ${APPROVAL_WINDOW_MS / 1000})`,
  until: sql`a.created_at`,
  // An action that needed no approval counts toward the next one, not toward itself.
  except: sql`a.id`,
});

const selectFor = (user_id: number | null, moved_before: RawBuilder<number | null>) =>
  sql<FinanceActionListed>`
    select a.id, a.action, a.body, a.team_id, a.target, a.amount_micros, a.reason,
      ${STATE} as state, a.requested_by, coalesce(a.requested_by = ${user_id}::bigint, false) as is_own,
      a.expires_at, a.decided_by, a.decided_at, a.decision, a.created_at, a.updated_at, a.path->>'id' as target_id,
      coalesce(p.reference, o.name, case when a.target = t.slug then t.name end, a.target) as target_name,
      ${moved_before} as moved_before_micros
    from finance_actions a
    left join teams t on t.id = a.team_id
    left join payments p on p.public_id = a.target and a.action in ('confirm_payment', 'refund_payment', 'reverse_payment')
    left join orders o on o.public_id = a.target and a.action in ('cancel_order', 'refund_order')`;

/** One finance action as seen by a user, with what its requester had moved before. */
export const adminFinanceAction = (
  user_id: number,
): Pick<AdminListSource<FinanceActionListed>, 'select'> => ({
  select: selectFor(user_id, MOVED_BEFORE),
});

/** Finance actions as seen by one user. Null: by no particular user, who requested none. */
export const adminFinanceActions = (user_id: number | null): AdminListSource<FinanceActionListed> => ({
  fields: {
    id: 'integer',
    title: 'none',
    action: 'text',
    team_id: 'integer',
    target: 'text',
    target_id: 'none',
    amount: 'none',
    moved_before: 'none',
    reason: 'text',
    request: 'none',
    state: 'text',
    requested_by: 'integer',
    is_own: 'boolean',
    expires_at: 'time',
    decided_by: 'integer',
    decided_at: 'time',
    decision: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminFinanceAction, AdminFieldKind>,
  searched: ['target', 'target_name', 'reason'],
  // A sum per row would go unread.
  select: selectFor(user_id, sql`null::bigint`),
});

export type NewFinanceAction = Pick<
  FinanceAction,
  'action' | 'path' | 'body' | 'team_id' | 'target' | 'amount_micros' | 'reason' | 'requested_by'
>;

/**
 * Serializes one user's actions until the transaction ends. @returns that user's actions without approval since
 * `since` that could benefit one team, in micro-dollars: those for that team, and those any team can use, such
 * as codes. For an action of no single team, the team with the highest sum.
 */
export async function lockOwnActions(
  trx: Tx,
  { requested_by, team_id }: Pick<FinanceAction, 'requested_by' | 'team_id'>,
  since: Date,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`finance ${requested_by}`}, 0))`.execute(trx);
  return ownActions(trx, { requested_by, team_id }, since);
}

/** Like `lockOwnActions`, without the lock: for a form before it is sent. */
export async function ownActions(
  db: Db | Tx,
  { requested_by, team_id }: Pick<FinanceAction, 'requested_by' | 'team_id'>,
  since: Date,
): Promise<number> {
  const moved = movedBy({
    user: sql`${requested_by}`,
    team: sql`${team_id}::bigint`,
    since: sql`${since}`,
  });
  const { rows } = await sql<{ sum: number }>`select ${moved} as sum`.execute(db);
  return rows[0]?.sum ?? 0;
}

/** Stores an action: waiting for an approval, the same one if it already waits, or done without approval. */
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
          .where(sql<boolean>`path = ${toJson(path)}::jsonb and body = ${toJson(body)}::jsonb`)
          .executeTakeFirst()
      : undefined;
  if (waiting) return { id: waiting.id, isNew: false };
  const { id } = await trx
    .insertInto('finance_actions')
    .values({
      ...action,
      path: sql`${toJson(path)}::jsonb`,
      body: sql`${toJson(body)}::jsonb`,
      state,
      expires_at,
      decided_at: state === 'pending' ? null : new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, isNew: true };
}

/** Returns an action with its requester's role and its decider, locked until the transaction ends. */
export const lockFinanceAction = (trx: Db | Tx, id: number) =>
  trx
    .selectFrom('finance_actions as a')
    .innerJoin('users as u', 'u.id', 'a.requested_by')
    .leftJoin('users as d', 'd.id', 'a.decided_by')
    .selectAll('a')
    .select([
      'u.platform_role',
      'u.state as requester_state',
      'u.username as requester',
      'd.username as decider',
    ])
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
  await notifyDecided(trx, id, now);
}

/**
 * Records that an action, approved or without need for approval, could not be carried out. It no longer counts
 * toward the limit.
 */
export async function failFinanceAction(trx: Tx, id: number, decision: string): Promise<void> {
  const now = new Date();
  const failed = await trx
    .updateTable('finance_actions')
    .set({ state: 'failed', decision: cutWhole(decision, 500), updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .executeTakeFirst();
  if (failed.numUpdatedRows > 0n) await notifyDecided(trx, id, now);
}
