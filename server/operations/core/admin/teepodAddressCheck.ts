import { Problem } from '../../../domain/core/problem';
import { uuidOfVmName } from '../../../domain/cvms/vmName';
import type { TeepodEndpoint } from '../../../drivers/vmm';
import type { Context } from '../../types';
import { driverToAsk } from '../../hosts/probe';

const ANSWER_MS = 15_000;
/** Maximum VMs per host compared with other teepods' CVMs. */
const MAX_VMS = 10_000;

/**
 * Refuses a host that lists VMs of another teepod's CVMs: it is the same host at another address, and each row would
 * treat the other's VMs as its own.
 *
 * @param teepod_id the teepod itself when its address changes
 * @throws CONFLICT
 */
export async function refuseHostOfOther(
  ctx: Pick<Context, 'db'>,
  vm_ids: readonly string[],
  teepod_id: number | null,
): Promise<void> {
  if (vm_ids.length === 0) return;
  const other = await ctx.db
    .selectFrom('cvms')
    .innerJoin('teepods', 'teepods.id', 'cvms.teepod_id')
    .select('teepods.name')
    .where('cvms.host_vm_id', 'in', vm_ids.slice(0, MAX_VMS))
    .where('cvms.status', '<>', 'deleted')
    .$if(teepod_id !== null, (query) => query.where('teepods.id', '<>', teepod_id))
    .limit(1)
    .executeTakeFirst();
  if (!other) return;
  throw new Problem('CONFLICT', {
    message: `This host runs CVMs of the teepod ${other.name}, so it is the same host at another address.`,
    details: [{ field: 'url', message: `The host already belongs to ${other.name}.` }],
    suggestions: [`Change the address of ${other.name} instead.`],
  });
}

/** Enough to recognize the host by. */
const MAX_CVMS = 1_000;

let looks = 0;

/**
 * Refuses a new address where none of the teepod's CVMs is: that is another host, and the reconciler would mark the
 * CVMs as lost. It leaves an offline teepod alone, so there the change can be forced.
 * @throws CONFLICT
 */
export async function requireOwnCvms(
  ctx: Context,
  teepod: { id: number; name: string; state: string },
  endpoint: Omit<TeepodEndpoint, 'id'>,
): Promise<void> {
  if (teepod.state === 'offline') return;
  const cvms = await ctx.db
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('teepod_id', '=', teepod.id)
    .where('deleted_at', 'is', null)
    .where('host_vm_id', 'is not', null)
    .limit(MAX_CVMS)
    .execute();
  if (cvms.length === 0) return;
  // Teepod ids are positive, and this range overlaps neither probes nor checks.
  const id = -2_000_001 - (looks = (looks + 1) % 1_000_000);
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]);
    const { vms } = await driverToAsk(ctx, { ...endpoint, id }).status({ brief: true }, { signal });
    const there = new Set(vms.map(({ name }) => uuidOfVmName(name)));
    if (cvms.some(({ vm_uuid }) => there.has(vm_uuid))) return;
  } finally {
    ctx.vmm.drop(id);
  }
  throw new Problem('CONFLICT', {
    message: `The host at ${endpoint.url} has none of the CVMs of the teepod ${teepod.name}: continuing would mark them as lost.`,
    suggestions: [
      'Add it as another teepod and drain this one.',
      'If it is the same host and its disks are lost, set the state to offline before changing the address.',
    ],
  });
}
