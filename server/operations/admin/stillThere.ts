import { Problem } from '../../domain/problem';
import { uuidOfVmName } from '../../domain/vmName';
import type { TeepodEndpoint } from '../../drivers/vmm';
import type { Context } from '../types';
import { driverToAsk } from './probe';

const ANSWER_MS = 15_000;
/** Enough of them to know the host by. */
const MOST_CVMS = 1_000;

let looks = 0;

/**
 * Before a teepod gets another address: where none of its CVMs is, it is another host, and what should run would be made
 * anew there with an empty disk. A teepod that is offline is left alone by the reconciler, so that there it can be wanted.
 * @throws CONFLICT
 */
export async function checkStillThere(
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
    .limit(MOST_CVMS)
    .execute();
  if (cvms.length === 0) return;
  // Ids of teepods are positive, and neither is it one of a probe or a check.
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
    message: `The host at ${endpoint.url} has none of the CVMs of ${teepod.name}: what should run would be made anew there, with empty disks.`,
    suggestions: [
      'Add it as another teepod, and drain this one.',
      'If it is this host and its disks are lost, set the state to offline before the address.',
    ],
  });
}
