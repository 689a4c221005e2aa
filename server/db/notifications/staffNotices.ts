import { sql } from 'kysely';
import { KINDS, usualPreference, type NotificationKind } from '../../domain/notifications/notify';
import { staffRolesWith } from '../../domain/teams/permissions';
import type { Tx } from '../core/client';
import { openNotices, type Recipient } from './notifications';

/** Notices that concern staff. Each is listed in one of the recipient's teams. */

const MAX_STAFF = 200;

type StaffRecipient = Recipient & { team_id: number };

/**
 * Returns the staff that a kind concerns, or the named ones among them, each with the team in which their
 * notices are listed.
 */
export async function staffFor(
  trx: Tx,
  kind: NotificationKind,
  { only = null, except = null }: { only?: readonly number[] | null; except?: number | null } = {},
): Promise<StaffRecipient[]> {
  const { staff } = KINDS[kind];
  if (staff === undefined) throw new Error(`${kind} doesn't concern staff`);
  const { rows } = await sql<{
    user_id: number;
    team_id: number;
    platform_role: string;
    confirmed: boolean;
    console: boolean | null;
    mail: boolean | null;
  }>`
    select u.id as user_id, u.platform_role, m.team_id, u.email_verified_at is not null as confirmed,
      p.console, p.mail
    from users u
    cross join lateral (
      select m.team_id from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
      where m.user_id = u.id order by m.is_default desc, m.team_id limit 1) m
    left join notification_preferences p on p.user_id = u.id and p.team_id = m.team_id and p.kind = ${kind}
    where u.state = 'active' and u.platform_role = any(${[...staffRolesWith(staff)]}::text[])
      and (${only}::bigint[] is null or u.id = any(${only}::bigint[])) and u.id is distinct from ${except}::bigint
    order by u.id limit ${MAX_STAFF}`.execute(trx);
  return rows.flatMap(({ user_id, team_id, platform_role, confirmed, ...chosen }) => {
    const usual = usualPreference(kind, 'owner', platform_role);
    if (!usual) return [];
    const console = chosen.console ?? usual.console;
    const mail = (chosen.mail ?? usual.mail) && confirmed;
    return console || mail ? [{ user_id, team_id, console, mail }] : [];
  });
}

export async function notifyStaff(
  trx: Tx,
  kind: NotificationKind,
  recipients: readonly StaffRecipient[],
  notice: { subject: string; severity: 'info' | 'warning' | 'error'; title: string; message: string },
  at: Date,
): Promise<void> {
  const byTeam = new Map<number, Recipient[]>();
  for (const { team_id, ...recipient } of recipients)
    byTeam.set(team_id, [...(byTeam.get(team_id) ?? []), recipient]);
  for (const [team_id, members] of byTeam)
    await openNotices(trx, { state: 'open', kind, ...notice }, { team_id, cvm_id: null, at }, members);
}
