import { sql } from 'kysely';
import { decisionNotice, lateMoneyNotice, requestNotice } from '../../domain/billing/financeNotice';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import { withTransaction, type Db, type Tx } from '../core/client';
import type { Json } from '../core/json';
import { staffFor, notifyStaff } from './staffNotices';

/**
 * Notices to finance staff: to possible approvers of an action, to its requester when it is decided, and about
 * money for deleted teams.
 */

const KIND = 'finance_action';

interface Row {
  action: AdminFinanceAction['action'];
  amount_micros: number;
  body: Json;
  target: string;
  reason: string;
  state: 'pending' | 'done' | 'rejected' | 'failed';
  decision: string | null;
  expires_at: Date;
  requested_by: number;
  decided_by: number | null;
  requester: string;
  decider: string | null;
  team_name: string | null;
}

async function actionOf(trx: Tx, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select a.action, a.amount_micros, a.body, a.target, a.reason, a.state, a.decision, a.expires_at, a.requested_by,
      a.decided_by, r.username as requester, d.username as decider, t.name as team_name
    from finance_actions a join users r on r.id = a.requested_by
    left join users d on d.id = a.decided_by left join teams t on t.id = a.team_id
    where a.id = ${id}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`no finance action ${id}`);
  return row;
}

/** Notifies possible approvers, except the requester. Everything within five minutes is one email. */
export async function notifyApprovers(trx: Tx, id: number, at: Date): Promise<void> {
  const action = await actionOf(trx, id);
  await notifyStaff(
    trx,
    KIND,
    await staffFor(trx, KIND, { except: action.requested_by }),
    { subject: `request:${id}`, ...requestNotice(action) },
    at,
  );
}

/** Closes approval requests, including unwritten mail, because decided ones need no attention. */
const closeRequests = (trx: Tx, ids: readonly number[], at: Date) =>
  sql`
    update notifications set resolved_at = ${at}, read_at = coalesce(read_at, ${at}), mail_due_at = null,
      position = nextval('notification_positions')
    where kind = ${KIND} and resolved_at is null
      and subject = any(${ids.map((id) => `request:${id}`)}::text[])`.execute(trx);

/**
 * Notifies the requester of the decision, unless they withdrew it; if the action failed later, also its
 * approver.
 */
export async function notifyDecided(trx: Tx, id: number, at: Date): Promise<void> {
  const action = await actionOf(trx, id);
  const { state, requested_by, decided_by } = action;
  await closeRequests(trx, [id], at);
  if (decided_by === requested_by) return;
  const only = state === 'failed' && decided_by !== null ? [requested_by, decided_by] : [requested_by];
  await notifyStaff(
    trx,
    KIND,
    await staffFor(trx, KIND, { only }),
    {
      subject: `decision:${id}:${state}`,
      ...decisionNotice({ ...action, state: state === 'pending' ? 'expired' : state }),
    },
    at,
  );
}

/** Notifies finance of money for a deleted team, whose members wouldn't notice. */
export async function notifyLatePayment(
  trx: Tx,
  { public_id, team_id }: { public_id: string; team_id: number },
  amount_micros: number,
): Promise<void> {
  const team = await trx
    .selectFrom('teams')
    .select('name')
    .where('id', '=', team_id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  if (!team) return;
  const notice = lateMoneyNotice({ public_id, team_name: team.name, amount_micros });
  await notifyStaff(
    trx,
    KIND,
    await staffFor(trx, KIND),
    { subject: `late:${public_id}`, ...notice },
    new Date(),
  );
}

const BATCH_SIZE = 100;

/** Closes requests that nobody decided in time, and notifies the requesters. */
export async function notifyExpired(db: Db, at: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from finance_actions
    where state = 'pending' and expires_at <= ${at} and expiry_told_at is null
    order by expires_at limit ${BATCH_SIZE}`.execute(db);
  for (const { id } of rows)
    await withTransaction(db, async (trx) => {
      const told = await trx
        .updateTable('finance_actions')
        .set({ expiry_told_at: at })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('expiry_told_at', 'is', null)
        .executeTakeFirst();
      if (told.numUpdatedRows > 0n) await notifyDecided(trx, id, at);
    });
}
