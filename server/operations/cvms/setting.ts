import { findCvm } from '../../db/cvmLookup';
import type { JoinedCvm } from '../../db/cvmRows';
import { addEvent, type NewEvent } from '../../db/operations';
import type { CvmRow, Json } from '../../db/schema';
import { teamOf } from '../shared/caller';
import type { Context, Write } from '../types';

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
  /** Of the audit row, after `cvm.`. */
  action: string;
  /** What to write; runs under the CVM's lock. */
  change: (row: JoinedCvm, write: Write) => Promise<Settings> | Settings;
  /** Told to the team, unless nothing changed. */
  event: (row: JoinedCvm, set: Settings) => Pick<NewEvent, 'kind' | 'message' | 'data'>;
}

/** A change of a CVM that its host does not hear of: row, event and audit row in one transaction, no operation. */
export async function setCvm(ctx: Context, { cvm_id, action, change, event }: Setting): Promise<JoinedCvm> {
  const team = teamOf(ctx);
  return ctx.write(async (write) => {
    const { trx, audit } = write;
    const row = await findCvm(trx, team.id, cvm_id, { lock: true });
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
      before,
      after,
    });
    return { ...row, cvm: { ...row.cvm, ...set } };
  });
}

function pick(from: Settings, keys: Settings): Record<string, Json> {
  return Object.fromEntries(
    (Object.keys(keys) as (keyof Settings)[]).map((key) => {
      const value = from[key];
      return [key, value instanceof Date ? value.toISOString() : (value ?? null)];
    }),
  );
}
