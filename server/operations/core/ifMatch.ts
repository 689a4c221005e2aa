import { lastChangedBy } from '../../db/audit/auditLog';
import type { Db, Tx } from '../../db/core/client';
import { Problem } from '../../domain/core/problem';
import type { FieldChange, Version } from '../../domain/core/version';
import type { Context } from '../types';

interface Current<R> {
  version: Version<R>;
  /** Must be locked before a write. */
  row: R;
  etag: string;
  team_id: number;
  target_id: string;
  /** The audit log's actions that edit it, to name who made the change. */
  actions: readonly string[];
  /** Its name in the message: “CI”. */
  name: string;
}

/**
 * Rejects a change based on an outdated version, naming each field that changed since and its value. Without
 * If-Match the change always applies.
 * @throws PRECONDITION_FAILED
 */
export async function checkIfMatch<R>(ctx: Context, db: Db | Tx, current: Current<R>): Promise<void> {
  const header = ctx.headers['if-match'];
  if (header === undefined) return;
  const changes = current.version.changedSince(current.row, header);
  if (changes?.length === 0) return;
  const by = changes && (await lastChangedBy(db, current));
  throw staleVersion(current, changes, by);
}

export function staleVersion(
  { name, etag }: Pick<Current<unknown>, 'name' | 'etag'>,
  changes: FieldChange[] | null,
  by: string | null,
): Problem {
  const who = by === null ? '' : ` by ${by}`;
  return new Problem('PRECONDITION_FAILED', {
    etag,
    message: changes
      ? `“${name}” was changed${who} while you were editing: ${changes.map(({ field }) => field.replaceAll('_', ' ')).join(', ')}.`
      : `If-Match is not a version of “${name}”. Send the ETag you read.`,
    details: changes ?? [],
    suggestions: ['Reload it, review what changed, then reapply your change.'],
  });
}
