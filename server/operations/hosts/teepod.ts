import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { adminOne } from '../../db/core/adminList';
import { adminTeepods, findTeepod, lockTeepod } from '../../db/hosts/adminTeepods';
import type { Db, Tx } from '../../db/core/client';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { adminTeepodOut } from '../../domain/hosts/adminHostResponse';
import { VmmError, type VmInfo } from '../../drivers/vmm';
import type { Context } from '../types';
import { etagOf, nextVersion } from '../core/admin/change';
import { missing } from '../core/admin/resource';

const TEEPOD = { singular: 'teepod' };
const ANSWER_MS = 15_000;

export async function teepodOr404(db: Db, id: number): Promise<TeepodRow> {
  const row = await findTeepod(db, id);
  if (!row) throw missing(TEEPOD, id);
  return row;
}

export async function lockTeepodOr404(trx: Tx, id: number): Promise<TeepodRow> {
  const row = await lockTeepod(trx, id);
  if (!row) throw missing(TEEPOD, id);
  return row;
}

export const setTeepodState = (trx: Tx, row: TeepodRow, state: TeepodRow['state']) =>
  trx
    .updateTable('teepods')
    .set({ state, updated_at: nextVersion(row) })
    .where('id', '=', row.id)
    .execute();

/** Returns the teepod as its page shows it, for the reply to a change. */
export async function teepodReply(db: Db, id: number) {
  const row = await adminOne(db, adminTeepods, id);
  if (!row) throw missing(TEEPOD, id);
  return {
    status: 200,
    headers: { ETag: etagOf('teepods', row.id, row.updated_at) },
    body: adminTeepodOut(row),
  } as const;
}

export interface HostAnswer {
  answered: boolean;
  error: string | null;
  asked_at: Date;
  vms: VmInfo[];
}

/**
 * Returns what the host lists now, with each VM's configuration; a host that doesn't respond is no error
 * here.
 */
export async function askHost(ctx: Context, teepod: TeepodRow): Promise<HostAnswer> {
  const asked_at = new Date();
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]);
    const { vms } = await ctx.vmm.get(teepod).status({ brief: false }, { signal });
    return { answered: true, error: null, asked_at, vms };
  } catch (error) {
    ctx.signal.throwIfAborted();
    const silent = error instanceof DOMException && error.name === 'TimeoutError';
    if (!silent && !(error instanceof VmmError)) throw error;
    const text = silent ? `No response within ${ANSWER_MS / 1000} seconds.` : error.message;
    return { answered: false, error: cutWhole(text, 2000), asked_at, vms: [] };
  }
}
