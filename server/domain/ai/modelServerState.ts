import type { CvmModelServer } from '../../../generated/api/types.gen';
import type { CvmStatus } from '../cvms/cvmStates';

/** How a model server in a CVM responded to `GET /health`, which vLLM, SGLang and llama.cpp all have. */
interface HealthReply {
  steps: readonly { name: 'dns' | 'tcp' | 'tls' | 'http'; state: string; detail: string }[];
  /** Null without a response. */
  status: number | null;
}

type State = Pick<CvmModelServer, 'state' | 'detail'>;

/** Engines listen on their port only after loading the model (vLLM), or answer 503 until then. */
export function modelServerState({ steps, status }: HealthReply, kind: 'local' | 'dstack_vmm'): State {
  const failed = steps.find(({ state }) => state === 'failed');
  // The gateway is up, but the engine isn't: the local gateway says so, dstack's closes the connection.
  if ((kind === 'local' && status === 502) || (status === null && failed?.name === 'http'))
    return { state: 'starting', detail: null };
  if (status === 503) return { state: 'loading', detail: null };
  if (failed !== undefined) return { state: 'failing', detail: failed.detail };
  // A server that requires its key for this request, too, has started.
  if (status !== null && (status < 300 || status === 401 || status === 403))
    return { state: 'ready', detail: null };
  return { state: 'failing', detail: `GET /health returned status ${status ?? 'unknown'}.` };
}

/** A stopped CVM isn't queried. */
export const stoppedServer = (status: Exclude<CvmStatus, 'running'>): State => ({
  state: 'off',
  detail: `The CVM is ${status.replaceAll('_', ' ')}.`,
});
