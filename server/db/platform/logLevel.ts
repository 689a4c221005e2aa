import { sql, type RawBuilder } from 'kysely';
import type { RuntimeLogLevel, TemporaryLogLevel } from '../../domain/platform/logLevel';
import type { Db, Tx } from '../core/client';
import type { PlatformSettingsRow } from './platformSettings';

/** LISTEN channel for a changed log level; every process reads the level then. */
export const LOG_LEVEL_CHANNEL = 'teehouse_log_level';

export interface StoredLogLevel {
  level: RuntimeLogLevel;
  until: Date;
}

/** The level in the form of audit entries. */
export const auditedLogLevel = (stored: StoredLogLevel | null) =>
  stored && { level: stored.level, until: stored.until.toISOString() };

/** The level that applies now as JSON, or null; part of other statements too. */
export const temporaryLogLevel: RawBuilder<TemporaryLogLevel | null> = sql<TemporaryLogLevel | null>`(
  select json_build_object('level', log_level,
    'left_ms', extract(epoch from log_level_until - clock_timestamp())::float8 * 1000)
  from platform_settings where log_level_until > clock_timestamp())`;

const stored = (db: Db | Tx) =>
  db
    .selectFrom('platform_settings')
    .select(['log_level', 'log_level_until'])
    .where('log_level_until', '>', sql<Date>`clock_timestamp()`);

const levelOf = (row: Pick<PlatformSettingsRow, 'log_level' | 'log_level_until'> | undefined) =>
  row?.log_level && row.log_level_until ? { level: row.log_level, until: row.log_level_until } : null;

/** Returns the level that all processes currently use; null if each uses its own LOG_LEVEL. */
export const storedLogLevel = async (db: Db | Tx): Promise<StoredLogLevel | null> =>
  levelOf(await stored(db).executeTakeFirst());

/** The same in the form that processes read. */
export async function readLogLevel(db: Db): Promise<TemporaryLogLevel | null> {
  const { rows } = await sql<{
    found: TemporaryLogLevel | null;
  }>`select ${temporaryLogLevel} as found`.execute(db);
  return rows[0]?.found ?? null;
}

/** Sets the level for some minutes, or with null ends it. Processes follow when the transaction commits. */
export async function changeLogLevel(
  trx: Tx,
  given: { level: RuntimeLogLevel; minutes: number } | null,
): Promise<{ before: StoredLogLevel | null; after: StoredLogLevel | null }> {
  const before = levelOf(await stored(trx).forUpdate().executeTakeFirst());
  const row = await trx
    .updateTable('platform_settings')
    .set({
      log_level: given?.level ?? null,
      log_level_until: given && sql<Date>`clock_timestamp() + make_interval(mins => ${given.minutes}::int)`,
    })
    .returning(['log_level', 'log_level_until'])
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${LOG_LEVEL_CHANNEL}, 'changed')`.execute(trx);
  return { before, after: levelOf(row) };
}
