import { sql } from 'kysely';
import { decisionNotice, lateMoneyNotice, requestNotice } from '../../domain/billing/financeNotice';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import { KINDS, usualPreference } from '../../domain/notifications/notify';
import { staffRolesWith } from '../../domain/teams/permissions';
import { withTransaction, type Db, type Tx } from '../core/client';
import { openNotices, type Recipient } from './notifications';

/**
 * Notices to finance staff: to those who may approve an action, to its requester when it is decided, and about money for
 * deleted teams.
 */

const KIND = 'finance_action';
const MOST_APPROVERS = 200;

interface Row {
  action: AdminFinanceAction['action'];
  amount_micros: number;
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
    select a.action, a.amount_micros, a.target, a.reason, a.state, a.decision, a.expires_at, a.requested_by,
      a.decided_by, r.username as requester, d.username as decider, t.name as team_name
    from finance_actions a join users r on r.id = a.requested_by
    left join users d on d.id = a.decided_by left join teams t on t.id = a.team_id
    where a.id = ${id}`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`no finance action ${id}`);
  return row;
}

/** Returns staff who may approve, or those of them that are named, each with the team in which their notices are listed. */
async function staff(
  trx: Tx,
  { only = null, except = null }: { only?: readonly number[] | null; except?: number | null },
): Promise<(Recipient & { team_id: number })[]> {
  const roles = staffRolesWith(KINDS[KIND].staff ?? 'admin.billing.write');
  const { rows } = await sql<{
    user_id: number;
    team_id: number;
    platform_role: string;
    confirmed: boolean;
    console: boolean | null;
    mail: boolean | null;
  }>`
    select u.id as user_id, u.platform_role, m.team_id, u.email_verified_at is not null as confirmed,
      p.console, p.mail
    from users u
    cross join lateral (
      select m.team_id from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
      where m.user_id = u.id order by m.is_default desc, m.team_id limit 1) m
    left join notification_preferences p on p.user_id = u.id and p.team_id = m.team_id and p.kind = ${KIND}
    where u.state = 'active' and u.platform_role = any(${[...roles]}::text[])
      and (${only}::bigint[] is null or u.id = any(${only}::bigint[])) and u.id is distinct from ${except}::bigint
    order by u.id limit ${MOST_APPROVERS}`.execute(trx);
  return rows.flatMap(({ user_id, team_id, platform_role, confirmed, ...chosen }) => {
    const usual = usualPreference(KIND, 'owner', platform_role);
    if (!usual) return [];
    const console = chosen.console ?? usual.console;
    const mail = (chosen.mail ?? usual.mail) && confirmed;
    return console || mail ? [{ user_id, team_id, console, mail }] : [];
  });
}

async function tell(
  trx: Tx,
  recipients: readonly (Recipient & { team_id: number })[],
  notice: { subject: string; severity: 'info' | 'warning' | 'error'; title: string; message: string },
  at: Date,
): Promise<void> {
  const byTeam = new Map<number, Recipient[]>();
  for (const { team_id, ...recipient } of recipients)
    byTeam.set(team_id, [...(byTeam.get(team_id) ?? []), recipient]);
  for (const [team_id, members] of byTeam)
    await openNotices(trx, { state: 'open', kind: KIND, ...notice }, { team_id, cvm_id: null, at }, members);
}

/** Asks those who may approve an action, except its requester. Their mail is one for everything within five minutes. */
export async function tellRequested(trx: Tx, id: number, at: Date): Promise<void> {
  const action = await actionOf(trx, id);
  await tell(
    trx,
    await staff(trx, { except: action.requested_by }),
    { subject: `request:${id}`, ...requestNotice(action) },
    at,
  );
}

/** Closes what approvers were asked, with mail that isn't written yet. */
const closeRequests = (trx: Tx, ids: readonly number[], at: Date) =>
  sql`
    update notifications set resolved_at = ${at}, mail_due_at = null, position = nextval('notification_positions')
    where kind = ${KIND} and resolved_at is null
      and subject = any(${ids.map((id) => `request:${id}`)}::text[])`.execute(trx);

/** Tells the requester what was decided, unless they withdrew it; of one that failed later also its approver. */
export async function tellDecided(trx: Tx, id: number, at: Date): Promise<void> {
  const action = await actionOf(trx, id);
  const { state, requested_by, decided_by } = action;
  await closeRequests(trx, [id], at);
  if (decided_by === requested_by) return;
  const only = state === 'failed' && decided_by !== null ? [requested_by, decided_by] : [requested_by];
  await tell(
    trx,
    await staff(trx, { only }),
    {
      subject: `decision:${id}:${state}`,
      ...decisionNotice({ ...action, state: state === 'pending' ? 'expired' : state }),
    },
    at,
  );
}

/** Tells finance of money for a team that was deleted: nobody of it would notice. */
export async function tellLateMoney(
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
  await tell(trx, await staff(trx, {}), { subject: `late:${public_id}`, ...notice }, new Date());
}

const AT_ONCE = 100;

/** Closes what nobody decided in time, and tells the requesters. */
export async function tellExpired(db: Db, at: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from finance_actions
    where state = 'pending' and expires_at <= ${at} and expiry_told_at is null
    order by expires_at limit ${AT_ONCE}`.execute(db);
  for (const { id } of rows)
    await withTransaction(db, async (trx) => {
      const told = await trx
        .updateTable('finance_actions')
        .set({ expiry_told_at: at })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('expiry_told_at', 'is', null)
        .executeTakeFirst();
      if (told.numUpdatedRows > 0n) await tellDecided(trx, id, at);
    });
}
