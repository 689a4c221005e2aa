import { deleteCvm, restartCvm, shutdownCvm, startCvm, stopCvm } from '../../generated/api/sdk.gen';
import type { OperationType } from '../../generated/api/types.gen';
import { canForce, type Forceable, type Verb } from '../lib/cvms/verbs';
import type { inTeam } from './client';

interface CvmOptions extends ReturnType<typeof inTeam> {
  path: { cvm_id: string };
  throwOnError: true;
}

interface CvmRequest {
  send: (options: CvmOptions) => Promise<unknown>;
  /** The operation that the request creates. */
  operation: OperationType;
}

const REQUESTS: Readonly<Record<Verb, CvmRequest>> = {
  start: { send: startCvm, operation: 'start' },
  stop: { send: shutdownCvm, operation: 'shutdown' },
  restart: { send: restartCvm, operation: 'restart' },
  delete: { send: deleteCvm, operation: 'delete' },
};

/** Cut power instead of shutting containers down first. */
const FORCED: Readonly<Record<Forceable, CvmRequest>> = {
  stop: { send: stopCvm, operation: 'stop' },
  restart: { send: (options) => restartCvm({ ...options, body: { force: true } }), operation: 'restart' },
};

/** @param force cuts power instead of shutting containers down first; only for a stop or restart */
export const cvmRequest = (verb: Verb, force: boolean): CvmRequest =>
  force && canForce(verb) ? FORCED[verb] : REQUESTS[verb];
