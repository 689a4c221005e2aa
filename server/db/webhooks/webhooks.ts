import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { WebhookRow } from './webhooksTable';
import type { WebhookEventKind, WebhookFormat } from '../../domain/webhooks/webhook';

const MAX_LISTED = 100;

export const listWebhooks = (db: Db, team_id: number): Promise<WebhookRow[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('team_id', '=', team_id)
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();

export async function countWebhooks(trx: Tx, team_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  return n;
}

const one = (db: Db | Tx, team_id: number, public_id: string) =>
  db.selectFrom('webhooks').selectAll().where('team_id', '=', team_id).where('public_id', '=', public_id);

export const findWebhook = (db: Db | Tx, team_id: number, public_id: string) =>
  one(db, team_id, public_id).executeTakeFirst();

/** Locked until the transaction ends: of two concurrent changes, the second builds on the first. */
export const lockWebhook = (trx: Tx, team_id: number, public_id: string) =>
  one(trx, team_id, public_id).forUpdate().executeTakeFirst();

export interface NewWebhook {
  public_id: string;
  team_id: number;
  name: string | null;
  url: string;
  format?: WebhookFormat;
  events: WebhookEventKind[];
  sealed_secret: string;
  secret_hint: string;
  created_by: number | null;
}

export const insertWebhook = (trx: Tx, webhook: NewWebhook): Promise<WebhookRow> =>
  trx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow();

export type WebhookChange = Partial<
  Pick<
    WebhookRow,
    | 'name'
    | 'url'
    | 'format'
    | 'events'
    | 'enabled'
    | 'disabled_reason'
    | 'failing_since'
    | 'failures'
    | 'sealed_secret'
    | 'secret_hint'
    | 'sealed_previous_secret'
    | 'previous_secret_until'
  >
>;

export const changeWebhook = (trx: Tx, id: number, change: WebhookChange): Promise<WebhookRow> =>
  trx
    .updateTable('webhooks')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes the webhook and its deliveries. */
export async function deleteWebhook(trx: Tx, id: number): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Returns these teams' active webhooks. */
export const listeningWebhooks = (
  trx: Tx,
  team_ids: readonly number[],
): Promise<Pick<WebhookRow, 'id' | 'team_id' | 'events' | 'format'>[]> =>
  trx
    .selectFrom('webhooks')
    .select(['id', 'team_id', 'events', 'format'])
    .where('team_id', 'in', [...team_ids])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
