import type { AuditEntry } from '../../../generated/api/types.gen';
import { deviceOf } from '../accounts/device';
import { placeOf } from '../core/country';
import { short } from '../core/references';
import { tokenHint } from '../teams/token';

export interface AuditFields {
  id: number;
  /** Team's internal ID; 0 for the platform. */
  chain: number;
  seq: number;
  at: Date;
  action: string;
  actor_kind: AuditEntry['actor']['kind'];
  actor_id: string | null;
  actor_label: string | null;
  /** Public ID of the staff user who acted on the actor's behalf. */
  on_behalf_of_id: string | null;
  token_public_id: string | null;
  token_name: string | null;
  token_prefix: string | null;
  token_last4: string | null;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  before: unknown;
  after: unknown;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  prev_hash: Buffer;
  hash: Buffer;
}

export function toAuditEntry(row: AuditFields): AuditEntry {
  return {
    id: String(row.id),
    seq: row.seq,
    at: row.at.toISOString(),
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id, username: row.actor_label },
    on_behalf_of: row.on_behalf_of_id,
    token:
      row.token_public_id === null
        ? null
        : {
            id: row.token_public_id,
            name: row.token_name ?? '',
            prefix: tokenHint({ token_prefix: row.token_prefix ?? '', token_last4: row.token_last4 ?? '' }),
          },
    target:
      row.target_kind === null
        ? null
        : { kind: row.target_kind, id: row.target_id, name: short(row.target_name, 200) },
    before: row.before,
    after: row.after,
    ip: row.ip,
    place: onServer(row) ? 'This server' : placeOf(row.ip ?? ''),
    device: deviceFor(row),
    request_id: row.request_id,
    hash: row.hash.toString('hex'),
  };
}

/** Whether the action came from the server itself or its command line, not over the network. */
const onServer = ({ actor_kind, ip }: AuditFields) =>
  ip === null && (actor_kind === 'cli' || actor_kind === 'system');

function deviceFor(row: AuditFields): string {
  if (row.actor_kind === 'cli') return 'teehouse command line';
  if (row.actor_kind === 'system') return 'Teehouse';
  return deviceOf(row.user_agent ?? '');
}
