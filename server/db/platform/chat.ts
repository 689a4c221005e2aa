import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { alertText, overText } from '../../domain/platform/chatCommands';
import type { Db, Tx } from '../core/client';
import { inStates, leasesOf, NO_LEASE } from '../core/leases';
import type { AlertRow } from './alertsTable';
import type { ChatBotRow } from './chatBotsTable';
import type { ChatMessageRow } from './chatMessagesTable';
import type { ChatRow } from './chatsTable';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { isIn } from '../core/states';

/** The chat bot, its chats and their outgoing messages. */

/** Longer than one long poll, and than sending one message. */
const LEASE_SECONDS = 60;

export const botLeases = leasesOf({
  table: 'chat_bots',
  key: 'service',
  open: sql`true`,
  seconds: LEASE_SECONDS,
});

/**
 * A dead worker's messages are sent again in their old order: one may arrive twice, but never after its
 * successors.
 */
export const messageLeases = leasesOf({
  table: 'chat_messages',
  open: inStates('waiting'),
  held: inStates('sending'),
  seconds: LEASE_SECONDS,
  onTake: sql`state = 'sending', attempts = attempts + 1`,
  onReturn: sql`state = 'waiting'`,
});
const MAX_ATTEMPTS = 30;

export const findBot = (db: Db | Tx, service: string): Promise<ChatBotRow | undefined> =>
  db.selectFrom('chat_bots').selectAll().where('service', '=', service).executeTakeFirst();

export const listChats = (
  db: Db | Tx,
  service: string,
): Promise<(ChatRow & { linked_by_name: string | null })[]> =>
  db
    .selectFrom('chats')
    .leftJoin('users', 'users.id', 'chats.linked_by')
    .selectAll('chats')
    .select('users.username as linked_by_name')
    .where('service', '=', service)
    .orderBy('chats.id')
    .limit(100)
    .execute();

/** Claims the bot's updates for `owner` unless another live process has them. @returns the bot */
export async function holdBot(
  db: Db,
  service: string,
  owner: string,
  isDead: (owner: string) => boolean,
): Promise<ChatBotRow | undefined> {
  await botLeases.releaseHeldBy(db, (holder) => holder !== owner && isDead(holder));
  const [bot] = await botLeases.hold(db, owner, [service]);
  return bot;
}

/** Locks the bot if `owner` still holds it with the same token. */
export const lockHeldBot = (trx: Tx, { service, lease_owner, sealed_token }: ChatBotRow) =>
  trx
    .selectFrom('chat_bots')
    .selectAll()
    .where(botLeases.isOwn(service, lease_owner))
    .where('sealed_token', '=', sealed_token)
    .forUpdate()
    .executeTakeFirst();

export const noteAsked = (
  db: Db | Tx,
  { service, sealed_token }: ChatBotRow,
  change: { next_update?: number; last_error: string | null },
) =>
  db
    .updateTable('chat_bots')
    .set({ ...change, ...(change.last_error === null ? { last_asked_at: sql`now()` } : {}) })
    .where('service', '=', service)
    .where('sealed_token', '=', sealed_token)
    .execute();

export const findChat = (trx: Tx, service: string, chat_ref: string): Promise<ChatRow | undefined> =>
  trx
    .selectFrom('chats')
    .selectAll()
    .where('service', '=', service)
    .where('chat_ref', '=', chat_ref)
    .executeTakeFirst();

export const addAnswer = (trx: Tx, chat_id: number, text: string) =>
  trx.insertInto('chat_messages').values({ chat_id, text, next_attempt_at: new Date() }).execute();

/**
 * Uses a code up. @returns who created it, or undefined when it is unknown or used, or its creator may no
 * longer link chats
 */
export const takeCode = (trx: Tx, service: string, code_hash: Buffer) =>
  trx
    .deleteFrom('chat_codes')
    .where('code_hash', '=', code_hash)
    .where('service', '=', service)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users')
          .select('id')
          .whereRef('users.id', '=', 'chat_codes.created_by')
          .where('state', '=', 'active')
          .where('platform_role', '=', 'admin'),
      ),
    )
    .returning('created_by')
    .executeTakeFirst();

export interface DueMessage {
  message: ChatMessageRow;
  chat: ChatRow;
  /** The current text, and the revision of the alert it belongs to. */
  text: string;
  revision: number | null;
}

/** Claims due messages, one per chat, because services limit the rate per chat. */
export async function claimMessages(
  db: Db,
  { service, owner, limit }: { service: string; owner: string; limit: number },
): Promise<DueMessage[]> {
  const rows = await messageLeases.take(
    db,
    owner,
    sql`id = any(array(
      select m.id from chat_messages m
      join (
        select distinct on (m.chat_id) m.id from chat_messages m join chats c on c.id = m.chat_id
        where m.state = 'waiting' and m.next_attempt_at <= now() and c.service = ${service}
          and c.state = 'linked' and c.next_send_at <= now()
          and not exists (select 1 from chat_messages s where s.chat_id = m.chat_id and s.state = 'sending')
        order by m.chat_id, m.next_attempt_at, m.id
      ) first on first.id = m.id
      order by m.next_attempt_at limit ${limit} for update of m skip locked
    ))`,
  );
  if (rows.length === 0) return [];
  const chats = await db
    .selectFrom('chats')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map((row) => row.chat_id),
    )
    .execute();
  const alert_ids = rows.flatMap(({ alert_id }) => alert_id ?? []);
  const alerts =
    alert_ids.length === 0
      ? []
      : await db.selectFrom('alerts').selectAll().where('id', 'in', alert_ids).execute();
  return rows.flatMap((message) => {
    const chat = chats.find(({ id }) => id === message.chat_id);
    const alert = alerts.find(({ id }) => id === message.alert_id);
    const text = textOf(message, alert);
    return chat && text !== null ? [{ message, chat, text, revision: alert?.revision ?? null }] : [];
  });
}

function textOf({ part, text }: ChatMessageRow, alert: AlertRow | undefined): string | null {
  if (part === 'answer' || !alert) return text;
  return part === 'over' ? overText(alert) : alertText(alert);
}

export type SendOutcome =
  | { state: 'sent'; message_ref: string | null; rest_seconds: number }
  | { state: 'waiting'; after_seconds: number; last_error: string; counts: boolean }
  | { state: 'failed'; last_error: string; refused: boolean };

/** Ends an attempt; does nothing when the lease was lost. If the alert has changed, its update is sent next. */
export async function finishMessage(db: Db, due: DueMessage, outcome: SendOutcome): Promise<void> {
  const { message, chat, revision } = due;
  const ended = outcome.state === 'waiting' && outcome.counts && message.attempts >= MAX_ATTEMPTS;
  const state = ended ? 'failed' : outcome.state;
  const wait = outcome.state === 'waiting' ? outcome.after_seconds : 0;
  const stale = sql<boolean>`exists (select 1 from alerts a where a.id = alert_id and a.revision > ${revision ?? 0})`;
  await db
    .updateTable('chat_messages')
    .set({
      state: state === 'sent' ? sql`case when ${stale} then 'waiting' else 'sent' end` : state,
      next_attempt_at:
        state === 'waiting'
          ? sql`now() + make_interval(secs => ${wait})`
          : sql`case when ${stale} then now() end`,
      ...NO_LEASE,
      last_error: outcome.state === 'sent' ? null : cutWhole(outcome.last_error, 500),
      ...(outcome.state === 'sent'
        ? { message_ref: outcome.message_ref, sent_revision: revision, sent_at: sql`now()` }
        : {}),
      ...(outcome.state === 'waiting' && !outcome.counts ? { attempts: message.attempts - 1 } : {}),
    })
    .where(messageLeases.isOwn(message.id, message.lease_owner))
    .execute();
  const rest = outcome.state === 'sent' ? outcome.rest_seconds : wait;
  await db
    .updateTable('chats')
    .set({
      next_send_at: sql`now() + make_interval(secs => ${rest})`,
      ...(outcome.state === 'sent' ? { last_sent_at: sql`now()`, last_error: null } : {}),
      ...(outcome.state === 'failed' ? { last_error: cutWhole(outcome.last_error, 500) } : {}),
      ...(outcome.state === 'failed' && outcome.refused ? { state: 'refused' as const } : {}),
    })
    .where('id', '=', chat.id)
    .execute();
}

export interface FleetFigures {
  hosts: number;
  hosts_answer: number;
  cvms: number;
  cvms_running: number;
  operations: number;
  waiting: number;
  alerts: { id: number; title: string; acknowledged: boolean }[];
}

export async function fleetFigures(db: Db | Tx): Promise<FleetFigures> {
  const { rows } = await sql<Omit<FleetFigures, 'alerts'>>`
    select (select count(*)::int from teepods where state <> 'offline') as hosts,
      (select count(*)::int from teepods where state <> 'offline' and reachable) as hosts_answer,
      (select count(*)::int from cvms where deleted_at is null) as cvms,
      (select count(*)::int from cvms where deleted_at is null and status = 'running') as cvms_running,
      (select count(*)::int from operations where ${isIn('state', LIVE_OPERATION)}) as operations,
      (select count(*)::int from outbox where state = 'queued') as waiting`.execute(db);
  const { rows: alerts } = await sql<FleetFigures['alerts'][number]>`
    select id, title, acknowledged_at is not null as acknowledged from alerts where resolved_at is null
    order by array_position(array['critical', 'warning'], severity), id limit 20`.execute(db);
  const [figures] = rows;
  if (!figures) throw new Error('no figures');
  return { ...figures, alerts };
}

/** Counts CVMs by team, the largest first. */
export async function cvmsByTeam(db: Db | Tx, limit: number) {
  const { rows } = await sql<{ slug: string; total: number; running: number; failed: number }>`
    select t.slug, count(*)::int as total, count(*) filter (where c.status = 'running')::int as running,
      count(*) filter (where c.status in ('error', 'lost'))::int as failed
    from cvms c join teams t on t.id = c.team_id where c.deleted_at is null group by t.slug
    order by total desc, t.slug limit ${limit}`.execute(db);
  return rows;
}

/** Returns undefined when there is no such team. */
export async function cvmsOfTeam(db: Db | Tx, slug: string, limit: number) {
  const team = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('slug', '=', slug.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!team) return undefined;
  const { rows } = await sql<{ name: string; status: string; host: string; total: number }>`
    select c.name, c.status, p.name as host, count(*) over ()::int as total from cvms c join teepods p on p.id = c.teepod_id
    where c.team_id = ${team.id} and c.deleted_at is null order by c.name limit ${limit}`.execute(db);
  return { team, rows };
}
