import type { AdminAuditDestination } from '../../../generated/api/types.gen';
import { iso, short, type Stored } from '../core/references';

type Moments =
  | 'delivered_at'
  | 'waiting_since'
  | 'failing_since'
  | 'next_attempt_at'
  | 'created_at'
  | 'updated_at';

/** Returns a destination without its secret: callers see only whether there is one. */
export const adminAuditDestinationOut = (
  row: Stored<AdminAuditDestination, Moments>,
): AdminAuditDestination => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  address: row.address,
  has_secret: row.has_secret,
  ca_certificate: row.ca_certificate,
  client_certificate: row.client_certificate,
  has_client_key: row.has_client_key,
  state: row.state,
  health: row.health,
  delivered_id: row.delivered_id,
  delivered_at: iso(row.delivered_at),
  waiting: row.waiting,
  waiting_since: iso(row.waiting_since),
  failing_since: iso(row.failing_since),
  next_attempt_at: iso(row.next_attempt_at),
  last_error: short(row.last_error, 2000),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
