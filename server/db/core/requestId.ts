import { sql } from 'kysely';
import type { Tx } from './client';

/** Sets the request ID that operations and events started in this transaction carry (migration 0025). */
export async function setRequestId(trx: Tx, request_id: string): Promise<void> {
  await sql`select set_config('teehouse.request_id', ${request_id}, true)`.execute(trx);
}
