import { findCvm } from '../../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { addEvent, type NewEvent } from '../../../db/activity/operations';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { Json } from '../../../db/core/json';
import { teamOf } from '../../core/caller';
import type { Context, Write } from '../../types';
import { checkVersion } from './version';

type Settings = Partial<
  Pick<
    CvmRow,
    | 'name'
    | 'hostname'
    | 'listed'
    | 'protected'
    | 'movable'
    | 'scheduled_stop_at'
    | 'scheduled_delete_at'
    | 'stop_warned_at'
    | 'delete_warned_at'
  >
>;

export interface Setting {
  cvm_id: string;
  /** The audit action's name after `cvm.`. */
  action: string;
  /** Returns what to write; runs under the CVM's lock. */
  change: (row: JoinedCvm, write: Write) => Promise<Settings> | Settings;
  /** The event sent to the team, unless nothing changed. */
  event: (row: JoinedCvm, set: Settings) => Pick<NewEvent, 'kind' | 'message' | 'data'>;
}

/**
 * Changes a setting that the CVM's host doesn't see: writes row, event and audit entry in one transaction, without an
 * operation. Honors If-Match, so its operation in the document takes that header and names ERR-00-020.
 */
export async function setCvm(ctx: Context, { cvm_id, action, change, event }: Setting): Promise<JoinedCvm> {
  const team = teamOf(ctx);
  return ctx.write(async (write) => {
    const row = await findCvm(write.trx, team.id, cvm_id, { lock: true });
    await checkVersion(ctx, write.trx, row);
    return applySetting(write, row, { action, change, event });
  });
}

/** Changes a setting of a locked CVM, as part of a larger change. */
export async function applySetting(
  write: Write,
  row: JoinedCvm,
  { action, change, event }: Omit<Setting, 'cvm_id'>,
): Promise<JoinedCvm> {
  const { trx, audit } = write;
  const set = await change(row, write);
  const before = pick(row.cvm, set);
  const after = pick(set, set);
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await trx
      .updateTable('cvms')
      .set({ ...set, updated_at: new Date() })
      .where('id', '=', row.cvm.id)
      .execute();
    await addEvent(trx, { cvm: row.cvm, ...event(row, set) });
  }
  await audit({
    action: `cvm.${action}`,
    target_kind: 'cvm',
    target_id: row.cvm.public_id,
    before: { name: row.cvm.name, ...before },
    after: { name: row.cvm.name, ...after },
  });
  return { ...row, cvm: { ...row.cvm, ...set } };
}

function pick(from: Settings, keys: Settings): Record<string, Json> {
  return Object.fromEntries(
    (Object.keys(keys) as (keyof Settings)[]).map((key) => {
      const value = from[key];
      return [key, value instanceof Date ? value.toISOString() : (value ?? null)];
    }),
  );
}
