import { sql } from 'kysely';
import type { TeamRole } from '../../domain/core/caller';
import { usualPreference, type NotificationKind } from '../../domain/notifications/notify';
import type { Db, Tx } from '../core/client';

/** Pending mail, grouped by user and kind. */

export interface Digest {
  user_id: number;
  kind: NotificationKind;
}

export async function dueDigests(db: Db, at: Date, limit: number): Promise<Digest[]> {
  const { rows } = await sql<Digest>`
    select user_id, kind from notifications where mail_due_at <= ${at}
    group by user_id, kind order by min(mail_due_at) limit ${limit}`.execute(db);
  return rows;
}

export interface DigestItem {
  id: number;
  /** Its subject and severity. */
  subject: string;
  severity: string;
  title: string;
  message: string;
  count: number;
  created_at: Date;
  updated_at: Date;
  resolved_at: Date | null;
  mailed_state: 'open' | 'resolved' | null;
  team_name: string;
  team_slug: string;
  vm_uuid: string | null;
}

export interface TakenDigest {
  user: {
    public_id: string;
    email: string;
    time_zone: string | null;
    quiet: { from: string; to: string } | null;
  };
  /** Oldest first. */
  items: DigestItem[];
}

interface Row extends DigestItem {
  role: TeamRole;
  platform_role: string | null;
  mail: boolean | null;
  may: boolean;
  public_id: string;
  email: string;
  time_zone: string | null;
  quiet_from: string | null;
  quiet_to: string | null;
}

/**
 * Takes one recipient's due mail and locks it until the transaction ends; returns null when another process
 * has it. The user's settings and access are read now; items they may no longer see are dropped.
 */
export async function takeDigest(trx: Tx, { user_id, kind }: Digest, at: Date): Promise<TakenDigest | null> {
  const { rows } = await sql<Row>`
    select n.id, n.subject, n.severity, n.title, n.message, n.count, n.created_at, n.updated_at, n.resolved_at, n.mailed_state,
      t.name as team_name, t.slug as team_slug, c.vm_uuid, m.role, u.platform_role, p.mail, u.public_id, u.email,
      s.time_zone, s.quiet_from, s.quiet_to,
      u.state = 'active' and u.email_verified_at is not null and t.deleted_at is null
        and (not t.require_second_factor or u.second_factor_at is not null) as may
    from notifications n
    join memberships m on m.team_id = n.team_id and m.user_id = n.user_id
    join teams t on t.id = n.team_id
    join users u on u.id = n.user_id
    left join notification_preferences p on p.user_id = n.user_id and p.team_id = n.team_id and p.kind = n.kind
    left join notification_settings s on s.user_id = n.user_id
    left join cvms c on c.id = n.cvm_id and c.deleted_at is null
    where n.user_id = ${user_id} and n.kind = ${kind} and n.mail_due_at <= ${at}
    order by n.position limit 1000
    for update of n skip locked`.execute(trx);
  const [first] = rows;
  if (!first) return null;
  const wanted = rows.filter(({ may, mail, role, platform_role }) => {
    const usual = usualPreference(kind, role, platform_role);
    // Former staff get no staff notices, whatever their settings.
    return may && usual !== null && (mail ?? usual.mail);
  });
  const dropped = rows.filter((row) => !wanted.includes(row)).map(({ id }) => id);
  if (dropped.length > 0) await setDue(trx, dropped, null);
  const { public_id, email, time_zone, quiet_from: from, quiet_to: to } = first;
  return {
    user: { public_id, email, time_zone, quiet: from !== null && to !== null ? { from, to } : null },
    items: wanted,
  };
}

export async function setDue(trx: Tx, ids: readonly number[], mail_due_at: Date | null): Promise<void> {
  await trx
    .updateTable('notifications')
    .set({ mail_due_at })
    .where('id', 'in', [...ids])
    .execute();
}

export async function noteMailed(trx: Tx, ids: readonly number[], at: Date): Promise<void> {
  await sql`update notifications set mail_due_at = null, mailed_at = ${at},
      mailed_state = case when resolved_at is null then 'open' else 'resolved' end
    where id = any(${[...ids]}::bigint[])`.execute(trx);
}
