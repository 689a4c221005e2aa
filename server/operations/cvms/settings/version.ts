import { lastChangedBy } from '../../../db/audit/auditLog';
import type { Db, Tx } from '../../../db/core/client';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { changedSince, cvmEtag } from '../../../domain/cvms/cvmVersion';
import type { FieldChange } from '../../../domain/core/version';
import { staleVersion } from '../../core/ifMatch';
import type { Context } from '../../types';
import { ownValue } from '../../../../console/lib/ownValue';

/** Fields changed without an operation, by the audit log's action. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  name: ['cvm.rename'],
  listed: ['cvm.listed'],
  movable: ['cvm.movable'],
  protected: ['cvm.protect', 'cvm.unprotect'],
  scheduled_stop_at: ['cvm.schedule_stop'],
  scheduled_delete_at: ['cvm.schedule_delete', 'cvm.protect'],
};

/**
 * Rejects a change based on an outdated CVM version, naming each field that changed since and its value (for
 * texts: the revision to read them in). Without If-Match the change always applies.
 * @throws PRECONDITION_FAILED
 */
export async function checkVersion(ctx: Context, db: Db | Tx, row: JoinedCvm): Promise<void> {
  const header = ctx.headers['if-match'];
  if (header === undefined) return;
  const changes = changedSince(row, header);
  if (changes?.length === 0) return;
  const by = changes && (await lastChanger(db, row, changes));
  throw staleVersion({ name: row.cvm.name, etag: cvmEtag(row) }, changes, by);
}

async function lastChanger(db: Db | Tx, { cvm }: JoinedCvm, changes: FieldChange[]): Promise<string | null> {
  const actions = changes.flatMap(({ field }) => ownValue(SETTINGS, field) ?? []);
  if (actions.length > 0)
    return lastChangedBy(db, { team_id: cvm.team_id, target_id: cvm.public_id, actions });
  const last = await db
    .selectFrom('operations')
    .innerJoin('users', 'users.id', 'operations.requested_by')
    .select('users.username')
    .where('operations.cvm_id', '=', cvm.id)
    .where('operations.type', 'in', ['update', 'resize'])
    .where('operations.state', '=', 'succeeded')
    .orderBy('operations.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.username ?? null;
}
