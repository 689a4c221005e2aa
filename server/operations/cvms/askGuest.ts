import type { CallOptions, VmmDriver } from '../../drivers/vmm';
import { VmmError } from '../../drivers/vmm';
import type { JoinedCvm } from '../../db/cvmRows';
import { hostReason, isTimeout } from '../logs/hostProblem';
import type { Context } from '../types';

/** A page that shows more than the guest's word must not hang on a guest that does not answer. */
const ANSWER_MS = 3_000;

export type GuestAnswer<T> = { value: T; error: null } | { value: null; error: string };

/** Asks the guest agent through its host; when that cannot be, says why in a sentence for the owner. Never throws for the guest's sake. */
export async function askGuest<T>(
  ctx: Context,
  { cvm, teepod }: JoinedCvm,
  ask: (guest: VmmDriver['guest'], vm_id: string, options: CallOptions) => Promise<T>,
): Promise<GuestAnswer<T>> {
  const offline = (error: string) => ({ value: null, error });
  if (cvm.status === 'stopped') return offline('The CVM is stopped.');
  if (cvm.host_vm_id === null) return offline('The CVM is not on its host yet.');
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    return { value: await ask(ctx.vmm.get(teepod).guest, cvm.host_vm_id, { signal }), error: null };
  } catch (error) {
    if (ctx.signal.aborted) return offline('The request was given up.');
    if (isTimeout(error)) return offline(`The guest did not answer within ${ANSWER_MS / 1000} seconds.`);
    if (!(error instanceof VmmError)) throw error;
    if (error.kind === 'rejected' && cvm.status !== 'running')
      return offline(`The guest does not answer: the CVM is ${cvm.status.replace('_', ' ')}.`);
    if (error.kind === 'rejected' && error.retryable)
      return offline('The guest agent does not answer, although the CVM runs. It may be starting.');
    return offline(hostReason(error, teepod.name).slice(0, 2000));
  }
}
