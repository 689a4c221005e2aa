import { Problem } from '../../domain/core/problem';
import { withoutHostPaths } from '../../domain/hosts/hostText';
import { VmmError } from '../../drivers/vmm';

/**
 * Turns a host failure into what the user sees: 502 with the reason, never the host's address. Other errors
 * are unchanged.
 */
export function hostProblem(error: unknown, host: string): unknown {
  if (isTimeout(error) || (error instanceof VmmError && ['unreachable', 'timeout'].includes(error.kind)))
    return new Problem('HOST_UNREACHABLE', { message: `The host ${host} isn't responding.`, cause: error });
  if (!(error instanceof VmmError)) return error;
  return new Problem('HOST_REFUSED', { message: hostReason(error, host), cause: error });
}

/** Returns one sentence, without the host's address. */
export function hostReason(error: VmmError, host: string): string {
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return `The host ${host} isn't responding.`;
    case 'not_found':
      return `The host ${host} doesn't list this CVM's VM.`;
    case 'unauthorized':
      return `The host ${host} rejected the server's credential. Ask an administrator to check it.`;
    case 'unsupported':
      return `The host ${host} doesn't support this.`;
    default:
      return `The host ${host} refused: ${withoutHostPaths(error.host_text ?? 'no reason given')}.`;
  }
}

/** Matches the error of AbortSignal.timeout, which drivers pass on unchanged. */
export const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';
