import { sql } from 'kysely';
import { addEvent } from '../../db/activity/operations';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db } from '../../db/core/client';
import { cvmsNamedBy } from '../../db/hosts/duplicates';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { isSuspicious, strayReason, type StrayReason } from '../../domain/hosts/strays';
import type { VmInfo } from '../../drivers/vmm';
import type { HostRound } from '../cvms/reconcile';

/** VMs that Teehouse removes automatically from one host within an hour. */
const MAX_REMOVALS_PER_HOUR = 5;

export interface Stray {
  vm: VmInfo;
  cvm: Pick<CvmRow, 'id' | 'public_id' | 'team_id' | 'app_id'>;
  reason: StrayReason;
}

/** Returns why a VM is left over from a deletion or a move; null if it isn't. See `strayReason`. */
export async function strayOf(db: Db, vm: VmInfo, teepod_id: number, asked_at: Date): Promise<Stray | null> {
  const uuid = uuidOfVmName(vm.name);
  if (uuid === null) return null;
  const cvm = await db
    .selectFrom('cvms')
    .select([
      'id',
      'public_id',
      'vm_uuid',
      'team_id',
      'app_id',
      'teepod_id',
      'status',
      'purge_at',
      'updated_at',
    ])
    .where('vm_uuid', '=', uuid)
    .executeTakeFirst();
  if (!cvm) return null;
  const is_named = await isNamed(db, vm.id);
  const has_moved = !is_named && (await hasMovedHere(db, cvm.id, teepod_id));
  const reason = strayReason({
    vm,
    is_named,
    cvm,
    teepod_id,
    has_moved,
    asked_at,
  });
  return reason === null ? null : { vm, cvm, reason };
}

/** Whether a CVM names it as its VM, or gave it up. */
async function isNamed(db: Db, vm_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('cvms')
    .select('id')
    .where('host_vm_id', '=', vm_id)
    .where((eb) => eb.or([eb('status', '<>', 'deleted'), eb('purge_at', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  if (row !== undefined) return true;
  const given_up = await db
    .selectFrom('given_up_vms')
    .select('id')
    .where('host_vm_id', '=', vm_id)
    .where('taken_back_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return given_up !== undefined;
}

/** Whether an operation moved the CVM from or to this host. A restored database may not know of the move. */
async function hasMovedHere(db: Db, cvm_id: number, teepod_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('operations')
    .select('id')
    .where('cvm_id', '=', cvm_id)
    .where('type', '=', 'move')
    .where('finished_at', 'is not', null)
    .where(
      sql<boolean>`(payload -> 'from' ->> 'teepod_id' = ${String(teepod_id)} or payload ->> 'to_teepod_id' = ${String(teepod_id)})`,
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes a host's leftover VMs, a few per hour, each with an event and an audit entry. Removes none while there are
 * suspiciously many, and stores their number, which raises an alert.
 * @param known UUIDs of the host's own CVMs
 * @returns how many VMs it didn't check
 */
export async function removeStrays(
  { db, log, driver, teepod, vms, asked_at, tenure }: HostRound,
  known: ReadonlySet<string>,
): Promise<number> {
  const strays: Stray[] = [];
  const found = await candidates(db, vms, known);
  for (const vm of found.slice(0, MAX_CANDIDATES)) {
    const stray = await strayOf(db, vm, teepod.id, asked_at);
    if (stray) strays.push(stray);
  }
  const isHeld = isSuspicious(strays.length, vms.length);
  const held_strays = isHeld ? strays.length : 0;
  if (held_strays !== teepod.held_strays)
    await db.updateTable('teepods').set({ held_strays }).where('id', '=', teepod.id).execute();
  for (const stray of isHeld ? [] : strays) {
    tenure.check();
    if (!(await recordRemoval(db, teepod, stray))) break;
    log.warn({ vm: stray.vm.id, cvm: stray.cvm.public_id, reason: stray.reason }, 'removing a leftover VM');
    await driver
      .removeVm(stray.vm.id, { signal: AbortSignal.timeout(30_000) })
      .catch((error: unknown) => log.warn({ err: error, vm: stray.vm.id }, "couldn't remove a leftover VM"));
  }
  return Math.max(0, found.length - MAX_CANDIDATES);
}

/** VMs checked one by one in a round: a host may list any number under any names. */
const MAX_CANDIDATES = 1000;

/** Returns the VMs named after a CVM that isn't one of this host's. */
async function candidates(
  db: Db,
  vms: readonly VmInfo[],
  known: ReadonlySet<string>,
): Promise<readonly VmInfo[]> {
  const others = vms.filter(({ name }) => {
    const uuid = uuidOfVmName(name);
    return uuid !== null && !known.has(uuid);
  });
  const named = new Set((await cvmsNamedBy(db, others)).map(({ vm_uuid }) => vm_uuid));
  return others.filter(({ name }) => named.has(uuidOfVmName(name) ?? ''));
}

const MESSAGES: Readonly<Record<Stray['reason'], string>> = {
  cvm_deleted: 'Removing a VM from its host that was left over after the CVM was deleted',
  cvm_moved: 'Removing the old VM from the host that the CVM was moved from',
};

/**
 * Records the first request to remove a VM, before it is sent. Requests are repeated each round until the host
 * has removed it. Returns false, without recording anything, when the host's hourly limit is reached.
 */
async function recordRemoval(db: Db, teepod: TeepodRow, { vm, cvm, reason }: Stray): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    // The worker's round and an administrator's repair may handle the same VM concurrently.
    await trx.selectFrom('cvms').select('id').where('id', '=', cvm.id).forUpdate().execute();
    const recorded = await trx
      .selectFrom('events')
      .select('id')
      .where('cvm_id', '=', cvm.id)
      .where('kind', '=', 'cvm.vm_removed')
      .where(sql<boolean>`data ->> 'host_vm_id' = ${vm.id}`)
      .limit(1)
      .executeTakeFirst();
    if (recorded) return true;
    const { count } = await trx
      .selectFrom('audit_log')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('action', '=', 'teepod.vm_removed')
      .where('target_id', '=', String(teepod.id))
      .where('at', '>', sql<Date>`now() - interval '1 hour'`)
      .executeTakeFirstOrThrow();
    if (count >= MAX_REMOVALS_PER_HOUR) return false;
    await addEvent(trx, {
      cvm,
      kind: 'cvm.vm_removed',
      severity: 'warning',
      message: MESSAGES[reason],
      data: { host_vm_id: vm.id, reason },
    });
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'teepod.vm_removed',
        target_kind: 'teepod',
        target_id: String(teepod.id),
        after: {
          host_vm_id: vm.id,
          name: vm.name.slice(0, 200),
          cvm: cvm.public_id,
          reason,
        },
      },
    ]);
    return true;
  });
}
