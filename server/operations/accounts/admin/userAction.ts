import { adminOne } from '../../../db/core/adminList';
import { lockUser } from '../../../db/accounts/adminUsers';
import type { UserRow } from '../../../db/accounts/usersTable';
import { Problem } from '../../../domain/core/problem';
import { adminUserOut } from '../../../domain/accounts/adminAccountResponse';
import { userOf } from '../../core/caller';
import type { Context, Write } from '../../types';
import { etagOf } from '../../core/admin/change';
import { missing, sourceOf } from '../../core/admin/resource';
import { users } from '../../core/admin/resourcesPeople';
import { checkText } from '../../core/text';

/** An action on a user, and what the audit log records about it besides the reason. */
export interface Done {
  action: string;
  before?: Record<string, string | number | boolean | null>;
  after?: Record<string, string | number | boolean | null>;
}

/**
 * Runs an action on a user: locks the row, lets `work` check and apply it, records the reason in the
 * platform's audit log and returns the user's new state to the caller.
 */
export async function actOnUser(
  ctx: Context,
  id: number,
  reason: string | null,
  work: (write: Write, user: UserRow) => Promise<Done>,
) {
  // The user and their teams can read the reason.
  if (reason !== null) checkText(reason, 'reason');
  return ctx.write(async (write) => {
    const { trx, audit } = write;
    const user = await lockUser(trx, id);
    if (!user) throw missing(users, id);
    const { action, before, after } = await work(write, user);
    const note = { ...after, ...(reason === null ? {} : { reason }) };
    await audit({
      action,
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
      ...(before ? { before } : {}),
      ...(Object.keys(note).length > 0 ? { after: note } : {}),
    });
    const row = await adminOne(trx, sourceOf(users, ctx), id);
    if (!row) throw missing(users, id);
    return {
      status: 200,
      headers: { ETag: etagOf(users.name, row.id, row.updated_at) },
      body: adminUserOut(row),
    } as const;
  });
}

/** @throws CONFLICT if the user is in the wrong state */
export function needState(
  user: Pick<UserRow, 'username' | 'state'>,
  state: UserRow['state'],
  to: string,
): void {
  if (user.state !== state)
    throw new Problem('CONFLICT', {
      message: `${user.username} is ${user.state}. Only ${state} users can be ${to}.`,
    });
}

/** @throws CONFLICT on oneself: a mistake here would lock out the only user who could undo it */
export function notSelf(ctx: Context, user: Pick<UserRow, 'id'>, what: string): void {
  if (userOf(ctx).id === user.id)
    throw new Problem('CONFLICT', {
      message: `You can't ${what} yourself.`,
      suggestions: ['Ask another administrator.'],
    });
}
