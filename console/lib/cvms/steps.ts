/** Operation steps: their stored names, and the labels pages show for their IDs. */

/**
 * Stored and sent names by ID. They are sentences for historical reasons and never change, because operations
 * in progress during an upgrade are resumed by them.
 */
export const STEPS = {
  prepare: 'prepare the VM on the host',
  start: 'start',
  boot: 'boot',
  stop: 'stop',
  contract: "ask the app's contract",
  write: 'write the new revision',
  image: 'change the OS image',
  size: 'change the size',
  go_back: 'go back to the previous revision',
  put_back: 'put the previous revision back',
  come_down: 'let it come down',
  stop_again: 'stop again',
  leave_host: 'stop on the old host',
  enter_host: 'take over on the new host',
  return_to_host: 'go back to the old host',
  clear_host: 'remove from the old host',
  destroy: 'remove the VM and its disk',
} as const;

export type StepId = keyof typeof STEPS;
export type StepName = (typeof STEPS)[StepId];

const IDS = new Map(Object.entries(STEPS).map(([id, name]) => [name as string, id as StepId]));

/** Returns null for a step of an earlier version, whose ID is unknown. */
export const stepIdOf = (name: string): StepId | null => IDS.get(name) ?? null;

export const stepLabels: Readonly<Record<StepId, string>> = {
  prepare: 'Prepare the VM on the host',
  start: 'Start the VM',
  boot: 'Boot and start the containers',
  stop: 'Stop the VM',
  contract: 'Check the app’s contract',
  write: 'Write the new revision',
  image: 'Change the OS image',
  size: 'Change the size',
  go_back: 'Roll back to the previous revision',
  put_back: 'Restore the previous revision',
  come_down: 'Wait for the VM to stop',
  stop_again: 'Stop the VM again',
  leave_host: 'Stop on the old host',
  enter_host: 'Create on the new host',
  return_to_host: 'Return to the old host',
  clear_host: 'Remove from the old host',
  destroy: 'Remove the VM and its disk',
};

/** Returns a stored name's label; a step of an earlier version keeps its name. */
export function stepText(name: string): string {
  const id = stepIdOf(name);
  return id === null ? name.replaceAll('_', ' ') : stepLabels[id];
}
