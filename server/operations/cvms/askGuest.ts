import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { CallOptions, VmmDriver } from '../../drivers/vmm';
import { VmmError } from '../../drivers/vmm';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { hostReason, isTimeout } from '../logs/hostProblem';
import type { Services } from '../types';

/** A page that shows more than the guest's answer must not hang on a guest that doesn't respond. */
const ANSWER_MS = 3_000;

export type GuestAnswer<T> = { value: T; error: null } | { value: null; error: string };

/**
 * Queries the guest agent through its host; if that fails, returns the reason as a sentence for the owner.
 * Never throws because of the guest.
 */
export async function askGuest<T>(
  ctx: Pick<Services, 'vmm'> & { readonly signal: AbortSignal },
  { cvm, teepod }: JoinedCvm,
  ask: (guest: VmmDriver['guest'], vm_id: string, options: CallOptions) => Promise<T>,
): Promise<GuestAnswer<T>> {
  const offline = (error: string) => ({ value: null, error });
  if (cvm.status === 'stopped') return offline('The CVM is stopped.');
  if (cvm.status === 'lost') return offline("The CVM is lost: its host doesn't list its VM.");
  if (cvm.host_vm_id === null) return offline("The CVM isn't on its host yet.");
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return { value: await ask(ctx.vmm.get(teepod).guest, cvm.host_vm_id, { signal }), error: null };
  } catch (error) {
    if (ctx.signal.aborted) return offline('The request was aborted.');
    if (isTimeout(error)) return offline(`The guest didn't respond within ${ANSWER_MS / 1000} seconds.`);
    if (!(error instanceof VmmError)) throw error;
    if (error.kind === 'rejected' && cvm.status !== 'running')
      return offline(`The guest isn't responding: the CVM is ${cvm.status.replace('_', ' ')}.`);
    if (error.kind === 'rejected' && error.retryable)
      return offline("The guest agent isn't responding, although the CVM is running. It may be starting.");
    return offline(cutWhole(hostReason(error, teepod.name), 2000));
  }
}
