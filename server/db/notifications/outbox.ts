import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../core/client';
import { inStates, leasesOf, NO_LEASE } from '../core/leases';
import type { OutboxTable } from './outboxTable';

export type OutboxRow = Selectable<OutboxTable>;

/** `seconds`: longer than any attempt takes. */
export const mailLeases = leasesOf({
  table: 'outbox',
  open: sql`state = 'queued' and next_attempt_at <= now()`,
  held: inStates('sending'),
  seconds: 120,
  onTake: sql`state = 'sending', next_attempt_at = null, attempts = attempts + 1`,
  onReturn: sql`state = 'queued', next_attempt_at = now()`,
});

export interface NewMail {
  message_id: string;
  to: string;
  template: string;
  subject: string;
  sealed_content: string;
  /** `kept`: without a mail server, it stays for reading. */
  state: 'queued' | 'kept';
  user_id: number | null;
  team_id: number | null;
}

export async function insertMail(trx: Tx, mail: NewMail): Promise<number> {
  const { id } = await trx
    .insertInto('outbox')
    .values({ ...mail, next_attempt_at: mail.state === 'queued' ? sql`now()` : null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const findMail = (db: Db | Tx, id: number): Promise<OutboxRow | undefined> =>
  db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listMail = (db: Db, limit: number) =>
  db
    .selectFrom('outbox')
    .select(['id', 'created_at', 'to', 'template', 'subject', 'state', 'attempts', 'last_error'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export async function dueMail(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Claims one email for `owner` unless it is not due or another worker is sending it. */
export async function claimMail(db: Db, id: number, owner: string): Promise<OutboxRow | undefined> {
  const [mail] = await mailLeases.take(db, owner, sql`id = ${id}`);
  return mail;
}

export type MailOutcome =
  | { state: 'sent' }
  | { state: 'queued'; after_seconds: number; last_error: string }
  | { state: 'failed'; last_error: string };

/** Ends an attempt; does nothing when the lease was lost. Sent mail is deleted. */
export async function finishMail(
  db: Db,
  { id, lease_owner }: Pick<OutboxRow, 'id' | 'lease_owner'>,
  outcome: MailOutcome,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({
      state: outcome.state,
      ...NO_LEASE,
      last_error: outcome.state === 'sent' ? null : outcome.last_error,
      sent_at: outcome.state === 'sent' ? sql`now()` : null,
      next_attempt_at:
        outcome.state === 'queued' ? sql`now() + make_interval(secs => ${outcome.after_seconds})` : null,
      ...(outcome.state === 'sent' ? { sealed_content: null } : {}),
    })
    .where(mailLeases.isOwn(id, lease_owner))
    .execute();
}

/**
 * Keeps queued mail for reading when there is no mail server, once no other worker has sent it for a quarter of an
 * hour: in a rolling restart that adds the mail server, some workers already know it.
 */
export async function keepQueuedMail(db: Db): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'kept', next_attempt_at: null })
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<', sql<Date>`now() - interval '15 minutes'`)
    .execute();
}

/** Restarts an email from the first attempt. @returns the row, or undefined when it is deleted, sent or being sent */
export const requeueMail = (trx: Tx, id: number): Promise<OutboxRow | undefined> =>
  trx
    .updateTable('outbox')
    .set({ state: 'queued', attempts: 0, next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'failed', 'kept'])
    .where('sealed_content', 'is not', null)
    .returningAll()
    .executeTakeFirst();
