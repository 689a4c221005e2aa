import { sql } from 'kysely';
import { adminGpus } from '../../../db/hosts/adminGpus';
import { adminOne } from '../../../db/core/adminList';
import { gpuHolder, lockGpu, type GpuHolder } from '../../../db/hosts/gpus';
import type { Tx } from '../../../db/core/client';
import type { Json } from '../../../db/core/json';
import type { GpuRow } from '../../../db/hosts/gpusTable';
import { Problem } from '../../../domain/core/problem';
import { adminGpuOut } from '../../../domain/hosts/adminGpuResponse';
import type { Context } from '../../types';
import { etagOf, nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { gpus } from '../../core/admin/resourcesGpus';

interface GpuChange {
  /** The event uses the past tense; this is the audit log's form: "gpu.reserve". */
  action: string;
  /** Locks a CVM that is involved: CVMs are always locked before hosts. */
  prepare?: (trx: Tx) => Promise<unknown>;
  /** Decides with the GPU and its host locked; throws to refuse. */
  work: (
    trx: Tx,
    gpu: GpuRow,
    holder: GpuHolder | undefined,
  ) => Promise<Partial<Pick<GpuRow, 'reserved_team_id' | 'reservation_id' | 'fault'>>>;
  before?: (gpu: GpuRow, holder: GpuHolder | undefined) => Json;
  after?: Json;
}

/** Implements `POST /admin/gpus/{id}/{action}`: every assignment of GPUs waits for the same lock. */
export async function changeGpu(
  ctx: Context,
  id: number,
  { action, prepare, work, before, after }: GpuChange,
) {
  return ctx.write(async ({ trx, audit }) => {
    // The user, for the history that the database writes.
    await sql`select set_config('teehouse.user_id', ${String(ctx.caller.user?.id ?? '')}, true)`.execute(trx);
    await prepare?.(trx);
    const gpu = await lockGpu(trx, id);
    if (!gpu) throw missing(gpus, id);
    const holder = await gpuHolder(trx, gpu.reservation_id);
    const change = await work(trx, gpu, holder);
    await trx
      .updateTable('gpus')
      .set({ ...change, updated_at: nextVersion(gpu) })
      .where('id', '=', id)
      .execute();
    const row = await adminOne(trx, adminGpus, id);
    if (!row) throw missing(gpus, id);
    await audit({
      action,
      target_kind: 'gpu',
      target_id: String(id),
      ...(before ? { before: before(gpu, holder) } : {}),
      ...(after === undefined ? {} : { after }),
    });
    return {
      status: 200 as const,
      headers: { ETag: etagOf('gpus', id, row.updated_at) },
      body: adminGpuOut(row),
    };
  });
}

export const conflict = (message: string, ...suggestions: string[]) =>
  new Problem('CONFLICT', { message, suggestions });

/** "attached to the CVM “x” of Acme" */
export const holderText = (holder: GpuHolder) =>
  holder.cvm_name === null
    ? `held by an uncommitted deployment of ${holder.team_name}`
    : `attached to the CVM “${holder.cvm_name}” of ${holder.team_name}`;
