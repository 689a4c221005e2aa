import type { Operation, OperationType } from '../../../generated/api/types.gen';
import type { Step } from '../../ui/feedback/ProgressSteps';

/** Steps a kind of operation goes through when nothing special happens; others appear where they happen. */
const USUAL: Readonly<Record<OperationType, readonly string[]>> = {
  deploy: ['prepare the VM on the host', 'start', 'boot'],
  start: ['prepare the VM on the host', 'start', 'boot'],
  stop: ['stop'],
  shutdown: ['stop'],
  restart: ['stop', 'prepare the VM on the host', 'start', 'boot'],
  update: ['write the new revision', 'stop', 'start', 'boot'],
  resize: ['stop', 'change the size', 'prepare the VM on the host', 'start', 'boot'],
  // What goes into the recycle bin is stopped; what is destroyed at once says so when it begins.
  delete: ['stop'],
  move: [
    'stop on the old host',
    'take over on the new host',
    'prepare the VM on the host',
    'start',
    'boot',
    'remove from the old host',
  ],
  purge: ['remove the VM and its disk'],
};

const LABELS: Readonly<Record<string, string>> = {
  start: 'Start the VM',
  stop: 'Stop the VM',
  boot: 'Boot and start the containers',
};

export const operationWords: Readonly<Record<OperationType, string>> = {
  deploy: 'Deploy',
  start: 'Start',
  stop: 'Stop',
  shutdown: 'Shut down',
  restart: 'Restart',
  update: 'Update',
  resize: 'Resize',
  delete: 'Delete',
  move: 'Move',
  purge: 'Destroy',
};

const label = (name: string) =>
  LABELS[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/**
 * What was done and is being done, and (while it goes on) what is still to come. `boot_progress` is the guest's own
 * word for where its boot stands.
 */
export function operationSteps(operation: Operation, boot_progress: string | null = null): Step[] {
  const done: Step[] = operation.steps.map((step, i) => ({
    id: `${i} ${step.name}`,
    label: label(step.name),
    state: step.state,
    started_at: step.started_at,
    finished_at: step.finished_at,
    detail: step.detail ?? (step.name === 'boot' && step.state === 'running' ? boot_progress : null),
  }));
  if (operation.state !== 'queued' && operation.state !== 'running') return done;
  const last = operation.steps.at(-1)?.name;
  const usual = USUAL[operation.type];
  const from = last === undefined ? 0 : usual.lastIndexOf(last) + 1;
  // A stopped CVM stays stopped: what the boot would need does not come.
  const toCome =
    operation.target === 'stopped' ? usual.filter((name) => name !== 'boot' && !BOOT.has(name)) : usual;
  const rest =
    last !== undefined && from === 0 ? [] : usual.slice(from).filter((name) => toCome.includes(name));
  return [
    ...done,
    ...rest.map((name): Step => ({ id: `next ${name}`, label: label(name), state: 'waiting' })),
  ];
}

const BOOT: ReadonlySet<string> = new Set(['prepare the VM on the host', 'start', 'boot']);
