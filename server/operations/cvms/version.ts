import type { JoinedCvm } from '../../db/cvmRows';
import { changedSince } from '../../domain/cvmVersion';
import { Problem } from '../../domain/problem';
import type { Context, Write } from '../types';

/**
 * Refuses a change made from an older version than the present one, naming every field that changed since and what it is
 * now (of texts: the revision to read them in). Without If-Match the change is made in any case.
 * @throws PRECONDITION_FAILED
 */
export async function checkVersion(ctx: Context, { trx }: Pick<Write, 'trx'>, row: JoinedCvm): Promise<void> {
  const header = ctx.headers['if-match'];
  if (header === undefined) return;
  const changes = changedSince(row, header);
  if (changes?.length === 0) return;
  const who = await lastChanger(trx, row);
  const message = changes
    ? `“${row.cvm.name}” was changed${who} since you read it: ${changes.map(({ field }) => field).join(', ')}.`
    : 'If-Match is not a version of this CVM: send the ETag that getCvm answered.';
  throw new Problem('PRECONDITION_FAILED', {
    message,
    details: changes ?? [],
    suggestions: ['Read it again, look at what changed, and apply your change to that.'],
  });
}

async function lastChanger(trx: Write['trx'], { cvm }: JoinedCvm): Promise<string> {
  const last = await trx
    .selectFrom('operations')
    .innerJoin('users', 'users.id', 'operations.requested_by')
    .select('users.username')
    .where('operations.cvm_id', '=', cvm.id)
    .where('operations.type', 'in', ['update', 'resize'])
    .where('operations.state', '=', 'succeeded')
    .orderBy('operations.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? ` by ${last.username}` : '';
}
