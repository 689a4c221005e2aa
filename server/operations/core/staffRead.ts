import { noteStaffRead } from '../../db/accounts/staffReads';
import type { LogReader } from '../../domain/logs/logUrls';
import type { Context } from '../types';

interface ReadCvm {
  id: number;
  public_id: string;
  name: string;
  team_id: number;
}

/**
 * Records in the team's audit log, at most once an hour, that staff read a CVM's code or logs, as staff or
 * while viewing as a member. Reads by others aren't recorded. `by`: whose right applies, if not the
 * caller's.
 */
export async function noteRead(
  ctx: Context,
  cvm: ReadCvm,
  what: 'compose' | 'logs',
  by: Pick<LogReader, 'user_id' | 'as_staff' | 'staff_user_id'> = readerOf(ctx),
): Promise<void> {
  const staff_user_id = by.staff_user_id ?? (by.as_staff ? by.user_id : null);
  if (staff_user_id === null) return;
  await noteStaffRead(ctx.db, {
    staff_user_id,
    cvm_id: cvm.id,
    entry: {
      actor_kind: by.as_staff ? 'staff' : 'user',
      actor_user_id: by.user_id,
      on_behalf_of_user_id: by.staff_user_id,
      team_id: cvm.team_id,
      action: 'cvm.read',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      after: { name: cvm.name, what },
      ip: ctx.ip,
      user_agent: ctx.user_agent,
      request_id: ctx.request_id,
    },
  });
}

const readerOf = ({ caller: { user, as_staff, view_as } }: Context) => ({
  user_id: user?.id ?? 0,
  as_staff,
  staff_user_id: view_as?.staff.id ?? null,
});
