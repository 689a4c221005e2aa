import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from './client';
import type { OutboxTable } from './schemaOutbox';

export type OutboxRow = Selectable<OutboxTable>;

/** How long one attempt may take before somebody else may try; longer than any attempt does. */
export const MAIL_LEASE_SECONDS = 120;

export interface NewMail {
  message_id: string;
  to: string;
  template: string;
  subject: string;
  sealed_content: string;
  /** `kept`: there is no mail server, it waits to be read. */
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

/** Takes one mail for `owner` unless it is not due, or somebody else is at it. */
export const claimMail = (db: Db, id: number, owner: string): Promise<OutboxRow | undefined> =>
  db
    .updateTable('outbox')
    .set({
      state: 'sending',
      next_attempt_at: null,
      attempts: sql`attempts + 1`,
      lease_owner: owner,
      lease_until: sql`now() + make_interval(secs => ${MAIL_LEASE_SECONDS})`,
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();

export type MailOutcome =
  | { state: 'sent' }
  | { state: 'queued'; after_seconds: number; last_error: string }
  | { state: 'failed'; last_error: string };

/** Ends an attempt; nothing happens when the lease was lost. What was sent is not kept. */
export async function finishMail(
  db: Db,
  { id, lease_owner }: Pick<OutboxRow, 'id' | 'lease_owner'>,
  outcome: MailOutcome,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({
      state: outcome.state,
      lease_owner: null,
      lease_until: null,
      last_error: outcome.state === 'sent' ? null : outcome.last_error,
      sent_at: outcome.state === 'sent' ? sql`now()` : null,
      next_attempt_at:
        outcome.state === 'queued' ? sql`now() + make_interval(secs => ${outcome.after_seconds})` : null,
      ...(outcome.state === 'sent' ? { sealed_content: null } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('lease_owner', '=', lease_owner)
    .execute();
}

/** Mail in the hands of workers that are no more is queued again, at once: of one that runs out, or that `isDead` knows. */
export async function releaseMail(db: Db, isDead: (owner: string) => boolean): Promise<void> {
  const held = await db
    .selectFrom('outbox')
    .select(['id', 'lease_owner', sql<boolean>`lease_until < now()`.as('run_out')])
    .where('state', '=', 'sending')
    .limit(1000)
    .execute();
  for (const { id, lease_owner, run_out } of held)
    if (lease_owner !== null && (run_out || isDead(lease_owner)))
      await db
        .updateTable('outbox')
        .set({ state: 'queued', next_attempt_at: sql`now()`, lease_owner: null, lease_until: null })
        .where('id', '=', id)
        .where('state', '=', 'sending')
        .where('lease_owner', '=', lease_owner)
        .execute();
}

/** There is no mail server (any more): what is queued waits to be read. @returns how many */
export async function keepQueuedMail(db: Db): Promise<number> {
  const kept = await db
    .updateTable('outbox')
    .set({ state: 'kept', next_attempt_at: null })
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return Number(kept.numUpdatedRows);
}

/** Sends one again from the first attempt. @returns the row, or undefined when it is gone, sent or being sent */
export const requeueMail = (trx: Tx, id: number): Promise<OutboxRow | undefined> =>
  trx
    .updateTable('outbox')
    .set({ state: 'queued', attempts: 0, next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'failed', 'kept'])
    .where('sealed_content', 'is not', null)
    .returningAll()
    .executeTakeFirst();
