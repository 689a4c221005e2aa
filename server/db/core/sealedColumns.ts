import { sql } from 'kysely';
import type { SealPurpose } from '../../domain/core/seal';
import type { Tx } from './client';

/** A column of values sealed with the server's key. */
export interface SealedColumn {
  table: string;
  column: string;
  /** A unique column to walk the table by. */
  key: string;
  purpose: SealPurpose;
}

const sealed = (table: string, column: string, purpose: SealPurpose, key = 'id'): SealedColumn => ({
  table,
  column,
  key,
  purpose,
});

/** Every sealed column of the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealed('ai_upstreams', 'sealed_api_key', 'ai-upstream'),
  sealed('app_watches', 'sealed_secret', 'watch-webhook-secret'),
  sealed('audit_destinations', 'sealed_client_key', 'audit-destination-key'),
  sealed('audit_destinations', 'sealed_secret', 'audit-destination'),
  sealed('chat_bots', 'sealed_token', 'chat-bot-token', 'service'),
  sealed('gateways', 'sealed_credential', 'gateway-credential'),
  sealed('outbox', 'sealed_content', 'mail'),
  sealed('sso_connections', 'sealed_client_secret', 'sso-client-secret'),
  sealed('sso_sign_ins', 'sealed_code_verifier', 'sso-code-verifier', 'state_hash'),
  sealed('teepods', 'sealed_credential', 'teepod-credential'),
  sealed('totp_credentials', 'sealed_secret', 'totp', 'user_id'),
  sealed('webhooks', 'sealed_previous_secret', 'webhook-secret'),
  sealed('webhooks', 'sealed_secret', 'webhook-secret'),
];

export interface SealedValue {
  key: number | string | Buffer;
  value: string;
}

const BATCH_SIZE = 500;

/** Returns the values of a column that follow `after`, at most 500, and locks their rows. */
export async function takeSealedValues(
  trx: Tx,
  { table, column, key }: SealedColumn,
  after: SealedValue['key'] | null,
): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(key)} as key, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null ${after === null ? sql`` : sql`and ${sql.ref(key)} > ${after}`}
    order by ${sql.ref(key)} limit ${BATCH_SIZE} for update`.execute(trx);
  return rows;
}

export async function replaceSealedValue(
  trx: Tx,
  { table, column, key }: SealedColumn,
  { key: id, value }: SealedValue,
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${sql.ref(key)} = ${id}`.execute(
    trx,
  );
}
