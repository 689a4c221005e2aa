import { sql } from 'kysely';
import { prepared, type Tx } from './client';

/**
 * Sets the request ID that operations and events started in this transaction carry, and the span that operations and rollouts belong to
 * (migrations 0025 and 0286).
 */
export async function setRequestId(trx: Tx, request_id: string, traceparent?: string): Promise<void> {
  const span =
    traceparent === undefined ? sql`` : sql`, set_config('teehouse.traceparent', ${traceparent}, true)`;
  await sql`${prepared} select set_config('teehouse.request_id', ${request_id}, true)${span}`.execute(trx);
}
