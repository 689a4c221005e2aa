import { sql } from 'kysely';
import { COOL_DOWN_SECONDS, GATHER_SECONDS, type NotificationKind } from '../../domain/notifications/notify';
import type { Db, Tx } from '../core/client';
import type { NotificationSettingsRow } from './notificationSettingsTable';

export const findNotificationSettings = (
  db: Db | Tx,
  user_id: number,
): Promise<NotificationSettingsRow | undefined> =>
  db.selectFrom('notification_settings').selectAll().where('user_id', '=', user_id).executeTakeFirst();

export type SettingsValues = Pick<NotificationSettingsRow, 'time_zone' | 'quiet_from' | 'quiet_to'>;

/** Reschedules mail that waits for the end of the previous quiet hours, but not what waits for the cooldown. */
export async function saveNotificationSettings(
  trx: Tx,
  user_id: number,
  values: SettingsValues,
): Promise<void> {
  await trx
    .insertInto('notification_settings')
    .values({ user_id, ...values })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...values, updated_at: sql<Date>`now()` }),
    )
    .execute();
  await sql`update notifications set mail_due_at = least(mail_due_at, greatest(
      now() + make_interval(secs => ${GATHER_SECONDS}), mailed_at + make_interval(secs => ${COOL_DOWN_SECONDS})))
    where user_id = ${user_id} and mail_due_at is not null`.execute(trx);
}

export interface StoredPreference {
  team_id: number;
  kind: NotificationKind;
  console: boolean;
  mail: boolean;
}

export const storedPreferences = (db: Db | Tx, user_id: number): Promise<StoredPreference[]> =>
  db
    .selectFrom('notification_preferences')
    .select(['team_id', 'kind', 'console', 'mail'])
    .where('user_id', '=', user_id)
    .execute();

export async function savePreferences(
  trx: Tx,
  user_id: number,
  preferences: readonly StoredPreference[],
): Promise<void> {
  if (preferences.length === 0) return;
  await trx
    .insertInto('notification_preferences')
    .values(preferences.map((preference) => ({ user_id, ...preference })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'team_id', 'kind']).doUpdateSet((eb) => ({
        console: eb.ref('excluded.console'),
        mail: eb.ref('excluded.mail'),
      })),
    )
    .execute();
}

/** Returns the recipient named in an unsubscribe URL. */
export const findUserByPublicId = (trx: Tx, public_id: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'public_id', 'platform_role'])
    .where('public_id', '=', public_id)
    .where('state', '<>', 'deleted')
    .executeTakeFirst();
