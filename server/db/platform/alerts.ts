import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AdminAlert } from '../../../generated/api/types.gen';
import { quietUntil } from '../../domain/notifications/notifyQuiet';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Trouble } from './alertTroubles';
import type { Tx } from '../core/client';
import type { AlertRow } from './alertsTable';
import type { ChatRow } from './chatsTable';

/** Alerts: one row per problem while it lasts, and for a while after. */

/** Arbitrary; identifies the one process that reconciles alerts. */
const ALERTS_LOCK = 7_310_214_913;

/** A problem that recurs within this time is the same alert, counted. */
const SAME_MINUTES = 10;

/** The result of one reconciliation. */
export interface AlertChanges {
  /** To be announced as new messages. */
  opened: AlertRow[];
  /** Already announced; their messages are updated. */
  changed: AlertRow[];
  over: AlertRow[];
}

type OpenAlert = AlertRow & { seen_lately: boolean };

/** Records that a problem that only some processes see still exists. */
export const noteAlertSeen = (trx: Tx, { kind, subject }: Pick<AlertRow, 'kind' | 'subject'>) =>
  trx
    .updateTable('alerts')
    .set({ updated_at: sql`now()` })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('resolved_at', 'is', null)
    .execute();

/**
 * Reconciles alerts with current problems. One process at a time; the second finds nothing left to change.
 * @param isLeft whether an open alert is about something that only another process sees
 */
export async function reconcileAlerts(
  trx: Tx,
  troubles: readonly Trouble[],
  isLeft: (alert: OpenAlert) => boolean = () => false,
): Promise<AlertChanges> {
  await sql`select pg_advisory_xact_lock(${ALERTS_LOCK})`.execute(trx);
  const open: OpenAlert[] = await trx
    .selectFrom('alerts')
    .selectAll()
    .select(sql<boolean>`updated_at > now() - interval '2 minutes'`.as('seen_lately'))
    .where('resolved_at', 'is', null)
    .execute();
  const keyOf = ({ kind, subject }: Pick<Trouble, 'kind' | 'subject'>) => `${kind} ${subject}`;
  const known = new Map(open.map((alert) => [keyOf(alert), alert]));
  const wrong = new Set(troubles.map(keyOf));
  const changes: AlertChanges = { opened: [], changed: [], over: [] };
  for (const trouble of troubles) {
    const alert = known.get(keyOf(trouble));
    if (!alert) {
      const again = await reopen(trx, trouble);
      if (again) changes.changed.push(again);
      else changes.opened.push(await insert(trx, trouble));
    } else {
      const isRegraded = alert.severity !== trouble.severity;
      if (isRegraded || alert.message !== trouble.message || alert.title !== trouble.title) {
        const row = await update(trx, alert, trouble);
        if (isRegraded) changes.changed.push(row);
      }
    }
  }
  for (const alert of open)
    if (!wrong.has(keyOf(alert)) && !isLeft(alert)) changes.over.push(await resolve(trx, alert));
  return changes;
}

const texts = ({ title, message }: Trouble) => ({
  title: cutWhole(title, 200),
  message: cutWhole(message, 1000),
});

const insert = (trx: Tx, trouble: Trouble): Promise<AlertRow> => {
  const { kind, subject, severity } = trouble;
  return trx
    .insertInto('alerts')
    .values({ kind, subject: cutWhole(subject, 200), severity, ...texts(trouble) })
    .returningAll()
    .executeTakeFirstOrThrow();
};

async function reopen(trx: Tx, trouble: Trouble): Promise<AlertRow | undefined> {
  const { kind, subject, severity } = trouble;
  return trx
    .updateTable('alerts')
    .set({
      severity,
      ...texts(trouble),
      resolved_at: null,
      // It was silenced until resolved.
      acknowledged_at: null,
      acknowledged_by: null,
      count: sql`count + 1`,
      revision: sql`revision + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('alerts')
        .select('id')
        .where('kind', '=', kind)
        .where('subject', '=', subject)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('resolved_at', '>', sql<Date>`now() - make_interval(mins => ${SAME_MINUTES})`)
    .returningAll()
    .executeTakeFirst();
}

/** Figures in a message change all the time; only another severity justifies updating the chats' messages. */
const update = (trx: Tx, { id, severity }: AlertRow, trouble: Trouble): Promise<AlertRow> =>
  trx
    .updateTable('alerts')
    .set({
      severity: trouble.severity,
      ...texts(trouble),
      updated_at: sql`now()`,
      ...(severity === trouble.severity ? {} : { revision: sql<number>`revision + 1` }),
      // Acknowledging a warning doesn't silence a worse alert.
      ...(severity === 'warning' && trouble.severity === 'critical'
        ? { acknowledged_at: null, acknowledged_by: null }
        : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

const resolve = (trx: Tx, { id }: AlertRow): Promise<AlertRow> =>
  trx
    .updateTable('alerts')
    .set({ resolved_at: sql`now()`, updated_at: sql`now()`, revision: sql`revision + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns undefined when it is resolved or already acknowledged. */
export const acknowledge = (trx: Tx, id: number, by: string): Promise<AlertRow | undefined> =>
  trx
    .updateTable('alerts')
    .set({
      acknowledged_at: sql`now()`,
      acknowledged_by: cutWhole(by, 100),
      revision: sql`revision + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

const wants = (chat: ChatRow, { kind, severity }: AlertRow) =>
  chat.alerts.includes(kind) && (severity === 'critical' || chat.min_severity === 'warning');

function dueAt({ quiet_from, quiet_to, time_zone }: ChatRow, at: Date): Date {
  if (quiet_from === null || quiet_to === null) return at;
  return quietUntil(at, time_zone, { from: quiet_from, to: quiet_to }) ?? at;
}

/**
 * Queues each chat's messages in the transaction of the changes, so that a chat gets each exactly once despite
 * crashes. A new alert is one message, updated as it changes; its resolution sends a second notification.
 */
export async function notifyChats(trx: Tx, changes: AlertChanges, at: Date): Promise<void> {
  const { opened, changed, over } = changes;
  if (opened.length + changed.length + over.length === 0) return;
  const chats = await trx.selectFrom('chats').selectAll().where('state', '=', 'linked').limit(100).execute();
  const begun = [...opened, ...changed].flatMap((alert) =>
    chats
      .filter((chat) => wants(chat, alert) && alert.acknowledged_at === null)
      .map((chat) => ({
        chat_id: chat.id,
        alert_id: alert.id,
        part: 'alert' as const,
        next_attempt_at: dueAt(chat, at),
      })),
  );
  await add(trx, begun);
  await forgetUntold(trx, over);
  await bringUpToDate(trx, [...changed, ...over]);
  const told = await notifiedIn(trx, over);
  await add(
    trx,
    over.flatMap((alert) =>
      chats
        .filter((chat) => alert.acknowledged_at === null && told.has(`${alert.id} ${chat.id}`))
        .map((chat) => ({
          chat_id: chat.id,
          alert_id: alert.id,
          part: 'over' as const,
          next_attempt_at: dueAt(chat, at),
        })),
    ),
  );
}

interface NewMessage {
  chat_id: number;
  alert_id: number;
  part: 'alert' | 'over';
  next_attempt_at: Date;
}

/** PostgreSQL accepts 65,535 parameters per statement. */
const MESSAGES_PER_STATEMENT = 1000;

async function add(trx: Tx, messages: readonly NewMessage[]): Promise<void> {
  for (let from = 0; from < messages.length; from += MESSAGES_PER_STATEMENT)
    await trx
      .insertInto('chat_messages')
      .values(messages.slice(from, from + MESSAGES_PER_STATEMENT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Drops messages of alerts resolved before a chat received them. */
async function forgetUntold(trx: Tx, over: readonly AlertRow[]): Promise<void> {
  if (over.length === 0) return;
  await trx
    .deleteFrom('chat_messages')
    .where(
      'alert_id',
      'in',
      over.map(({ id }) => id),
    )
    .where('state', '=', 'waiting')
    .where('message_ref', 'is', null)
    .execute();
}

/** Updates sent messages to the alert's current state; edits in place notify nobody. */
export async function bringUpToDate(trx: Tx, alerts: readonly Pick<AlertRow, 'id'>[]): Promise<void> {
  if (alerts.length === 0) return;
  await trx
    .updateTable('chat_messages')
    .set({ state: 'waiting', attempts: 0, next_attempt_at: sql<Date>`now()` })
    .where(
      'alert_id',
      'in',
      alerts.map(({ id }) => id),
    )
    .where('state', '=', 'sent')
    .execute();
}

async function notifiedIn(trx: Tx, alerts: readonly AlertRow[]): Promise<Set<string>> {
  if (alerts.length === 0) return new Set();
  const rows = await trx
    .selectFrom('chat_messages')
    .select(['alert_id', 'chat_id'])
    .where(
      'alert_id',
      'in',
      alerts.map(({ id }) => id),
    )
    .where('part', '=', 'alert')
    .where((eb) => eb.or([eb('message_ref', 'is not', null), eb('state', '=', 'sending')]))
    .execute();
  return new Set(rows.map(({ alert_id, chat_id }) => `${alert_id} ${chat_id}`));
}

export type AdminAlertRow = AlertRow & { state: AdminAlert['state'] };

export const adminAlerts: AdminListSource<AdminAlertRow> = {
  fields: {
    id: 'integer',
    kind: 'text',
    subject: 'text',
    state: 'text',
    severity: 'text',
    title: 'text',
    message: 'text',
    count: 'integer',
    opened_at: 'time',
    updated_at: 'time',
    acknowledged_at: 'time',
    acknowledged_by: 'text',
    resolved_at: 'time',
  } satisfies Record<keyof AdminAlert, AdminFieldKind>,
  searched: ['title', 'message', 'subject'],
  select: sql<AdminAlertRow>`select *, case when resolved_at is not null then 'over'
    when acknowledged_at is not null then 'acknowledged' else 'open' end as state from alerts`,
};
