import type { OperationState, OperationType } from './cvmStates';

/** Steps that decide what can still be taken back; a worker writes a step down before it begins it. */
export const STEPS = {
  prepare: 'prepare the VM on the host',
  write: 'write the new revision',
  stop: 'stop',
  image: 'change the OS image',
  size: 'change the size',
  go_back: 'go back to the previous revision',
} as const;

export interface CancelFacts {
  type: OperationType;
  state: OperationState;
  steps: readonly { name: string }[];
  /** What the CVM was when it began. */
  previous: { status: string } | null;
  cancel_requested_at: Date | null;
  /** The rollout it is part of. */
  rollout_id: string | null;
}

export type Cancelling =
  /** `now`: nothing has been done, or a deletion takes all of it away; `undo`: its worker takes back what it did. */
  { possible: true; how: 'now' | 'undo' } | { possible: false; reason: string };

/**
 * Whether an operation can be cancelled, and if not why, as a sentence for people. Decided under the row's lock, and the
 * worker looks for a cancellation under the same lock before it begins a step, so that both always agree.
 */
export function cancelling(operation: CancelFacts): Cancelling {
  const no = (reason: string) => ({ possible: false, reason }) as const;
  const { type, state } = operation;
  const began = (name: string) => operation.steps.some((step) => step.name === name);
  if (state !== 'queued' && state !== 'running') return no(`It has ended already: ${state}.`);
  if (operation.cancel_requested_at) return no('It is being cancelled already.');
  if (operation.rollout_id) return no(`It is part of rollout ${operation.rollout_id}; cancel that.`);
  // What is deleted is gone from lists by now: it comes back by being restored, not by this.
  if (type === 'delete') return no('Restore the CVM from the recycle bin, if it is there.');
  // What it took on the other host is the drain's to give back.
  if (type === 'move') return no('It is part of a drain of its host; it goes back by itself when it fails.');
  if (type === 'purge') return no('The disk may be gone already.');
  if (state === 'queued' || type === 'deploy') return { possible: true, how: 'now' };
  switch (type) {
    case 'update':
      return began(STEPS.go_back)
        ? no('It failed, and the previous revision is being put back.')
        : { possible: true, how: 'undo' };
    case 'resize':
      return began(STEPS.size)
        ? no(
            'The new size is on the host already, and a disk cannot shrink again. Resize once more when it has ended.',
          )
        : { possible: true, how: 'undo' };
    case 'start':
      return operation.previous?.status === 'running'
        ? no('The CVM ran before, so there is nothing to go back to. Stop it when this has ended.')
        : { possible: true, how: 'undo' };
    case 'restart':
      return no(
        'The CVM is down, or on its way, and would have to be started again: that is what this does.',
      );
    case 'stop':
      return no('The VM is being stopped, which cannot be taken back. Start it when this has ended.');
    case 'shutdown':
      return no(
        'The guest has been asked to shut down, which cannot be taken back. Start it when this has ended.',
      );
  }
}
