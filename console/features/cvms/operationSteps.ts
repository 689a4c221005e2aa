import type { Operation, OperationType } from '../../../generated/api/types.gen';
import type { Step } from '../../ui/feedback/ProgressSteps';
import { stepLabels, type StepId } from '../../lib/cvms/steps';
import { isLive } from '../../lib/cvms/allowedActions';
import { showOperationText } from '../../lib/texts/operationTexts';

/** The usual steps of each operation type; unexpected steps appear where they occur. */
const USUAL: Readonly<Record<OperationType, readonly StepId[]>> = {
  deploy: ['prepare', 'start', 'boot'],
  start: ['prepare', 'start', 'boot'],
  stop: ['stop'],
  shutdown: ['stop'],
  restart: ['stop', 'prepare', 'start', 'boot'],
  update: ['write', 'stop', 'start', 'boot'],
  resize: ['stop', 'size', 'prepare', 'start', 'boot'],
  // Deleting to the recycle bin stops the CVM; permanent deletion reports its own steps when it starts.
  delete: ['stop'],
  move: ['leave_host', 'enter_host', 'prepare', 'start', 'boot', 'clear_host'],
  purge: ['destroy'],
};

/**
 * Completed and current steps and, while in progress, upcoming ones. `boot_progress` is the guest's boot status.
 */
export function operationSteps(operation: Operation, boot_progress: string | null = null): Step[] {
  const done: Step[] = operation.steps.map((step, i) => ({
    id: `${i} ${step.id ?? step.name}`,
    label: step.id === null ? step.name : stepLabels[step.id],
    state: step.state,
    started_at: step.started_at,
    finished_at: step.finished_at,
    detail:
      showOperationText(step.detail_keys, step.detail) ??
      (step.id === 'boot' && step.state === 'running' ? boot_progress : null),
  }));
  if (!isLive(operation.state)) return done;
  const last = operation.steps.at(-1)?.id;
  const usual = USUAL[operation.type];
  const from = last == null ? 0 : usual.lastIndexOf(last) + 1;
  // A stopped CVM stays stopped, so boot steps are omitted.
  const toCome = operation.target === 'stopped' ? usual.filter((id) => !BOOT.has(id)) : usual;
  const rest = last !== undefined && from === 0 ? [] : usual.slice(from).filter((id) => toCome.includes(id));
  return [
    ...done,
    ...rest.map((id): Step => ({ id: `next ${id}`, label: stepLabels[id], state: 'waiting' })),
  ];
}

const BOOT: ReadonlySet<StepId> = new Set(['prepare', 'start', 'boot']);
