import { adminOne } from '../../../db/adminList';
import { lockUser } from '../../../db/adminUsers';
import type { UserRow } from '../../../db/schema';
import { Problem } from '../../../domain/problem';
import { adminUserOut } from '../../../domain/wire/adminPeople';
import { personOf } from '../../shared/caller';
import type { Context, Write } from '../../types';
import { etagOf } from '../change';
import { missing, sourceOf } from '../resource';
import { users } from '../resourcesPeople';

/** What is done to a person, and what the audit log says of it beside the reason. */
export interface Done {
  action: string;
  before?: Record<string, string | number | boolean | null>;
  after?: Record<string, string | number | boolean | null>;
}

/**
 * Every verb on a person: their row is held, `work` judges and does it, the platform's log gets an entry with the reason,
 * and who asked gets the person as they are now.
 */
export async function actOnPerson(
  ctx: Context,
  id: number,
  reason: string | null,
  work: (write: Write, person: UserRow) => Promise<Done>,
) {
  return ctx.write(async (write) => {
    const { trx, audit } = write;
    const person = await lockUser(trx, id);
    if (!person) throw missing(users, id);
    const { action, before, after } = await work(write, person);
    const note = { ...after, ...(reason === null ? {} : { reason }) };
    await audit({
      action,
      target_kind: 'user',
      target_id: person.public_id,
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

/** @throws CONFLICT when the person is in another state */
export function needState(
  person: Pick<UserRow, 'username' | 'state'>,
  state: UserRow['state'],
  to: string,
): void {
  if (person.state !== state)
    throw new Problem('CONFLICT', {
      message: `${person.username} is ${person.state}; only who is ${state} can be ${to}.`,
    });
}

/** @throws CONFLICT for oneself: a mistake here would lock the very person out who could undo it */
export function notOneself(ctx: Context, person: Pick<UserRow, 'id'>, what: string): void {
  if (personOf(ctx).id === person.id)
    throw new Problem('CONFLICT', { message: `You cannot ${what} yourself.` });
}
