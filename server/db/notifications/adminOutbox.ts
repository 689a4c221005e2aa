import { sql } from 'kysely';
import type { AdminOutboxMail } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { OutboxRow } from './outbox';

export type AdminOutboxRow = Omit<OutboxRow, 'message_id' | 'lease_owner' | 'lease_until' | 'user_id'> & {
  team_slug: string | null;
};

const fields = {
  id: 'integer',
  created_at: 'time',
  to: 'text',
  template: 'text',
  subject: 'text',
  state: 'text',
  attempts: 'integer',
  next_attempt_at: 'time',
  last_error: 'text',
  sent_at: 'time',
  team_id: 'integer',
  team_slug: 'text',
  text: 'none',
} satisfies Record<keyof AdminOutboxMail, AdminFieldKind>;

const columns = sql`o.id, o.created_at, o."to", o.template, o.subject, o.state, o.attempts, o.next_attempt_at,
  o.last_error, o.sent_at, t.id as team_id, t.slug as team_slug`;

/** Without mail bodies: those are opened one at a time, with an audit entry. */
export const adminOutbox: AdminListSource<AdminOutboxRow> = {
  fields,
  searched: ['to', 'subject', 'template'],
  select: sql<AdminOutboxRow>`select ${columns}, null as sealed_content
    from outbox o left join teams t on t.id = o.team_id`,
};

export const adminOutboxMail = {
  select: sql<AdminOutboxRow>`select ${columns}, o.sealed_content
    from outbox o left join teams t on t.id = o.team_id`,
};
