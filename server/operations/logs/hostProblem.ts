import { Problem } from '../../domain/problem';
import { VmmError } from '../../drivers/vmm';

/** A host's failure as the person sees it: 502 with the reason, never the host's address. Other errors stay what they are. */
export function hostProblem(error: unknown, host: string): unknown {
  if (isTimeout(error) || (error instanceof VmmError && ['unreachable', 'timeout'].includes(error.kind)))
    return new Problem('HOST_UNREACHABLE', { message: `The host ${host} does not answer.`, cause: error });
  if (!(error instanceof VmmError)) return error;
  return new Problem('HOST_REFUSED', { message: hostReason(error, host), cause: error });
}

/** One sentence, without the host's address. */
export function hostReason(error: VmmError, host: string): string {
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return `The host ${host} does not answer.`;
    case 'not_found':
      return `The host ${host} does not have this CVM.`;
    case 'unauthorized':
      return `The host ${host} refuses our credential; an administrator has to look at it.`;
    case 'unsupported':
      return `The host ${host} cannot do this.`;
    default:
      return `The host ${host} refused: ${error.host_text ?? 'it gave no reason'}.`;
  }
}

/** Of an AbortSignal.timeout, which a driver passes on as it is. */
export const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';
