/**
 * Why an operation or rollout can't be canceled, by code. Pages display the sentence, and the server sends it
 * to published clients.
 */

interface OperationFacts {
  state: string;
  rollout_id: string | null;
}

const OPERATION = {
  already_ended: ({ state }) => `Already ended: ${state}.`,
  already_cancelling: () => 'Already being canceled.',
  part_of_rollout: ({ rollout_id }) => `It is part of rollout ${rollout_id}; cancel the rollout instead.`,
  deleting: () => 'Restore the CVM from the recycle bin instead.',
  part_of_drain: () => 'It is part of its host’s drain and is rolled back automatically if it fails.',
  purging: () => 'The disk may already be destroyed.',
  restoring_revision: () => 'It failed, and the previous revision is being restored.',
  size_applied: () =>
    'The new size is already applied on the host, and a disk can’t shrink. Resize again once it has finished.',
  was_running: () => 'There is nothing to undo. Stop the CVM once this has finished.',
  restarting: () => 'The CVM is already stopping, and the restart will start it again.',
  stopping: () => 'The VM is already stopping, which can’t be undone. Start it once this has finished.',
  shutting_down: () =>
    'The guest is already shutting down, which can’t be undone. Start it once this has finished.',
} as const satisfies Record<string, (operation: OperationFacts) => string>;

export type NotCancellableCode = keyof typeof OPERATION;

export const notCancellableText = (code: NotCancellableCode, operation: OperationFacts): string =>
  OPERATION[code](operation);

const ROLLOUT = {
  already_ended: (state: string) => `Already ended: ${state}.`,
  reverting: () => 'Already being rolled back.',
} as const;

export type RolloutNotCancellableCode = keyof typeof ROLLOUT;

export const rolloutNotCancellableText = (code: RolloutNotCancellableCode, state: string): string =>
  ROLLOUT[code](state);
