import type { CvmModelServer } from '../../../../generated/api/types.gen';
import type { Step } from '../../../ui/feedback/ProgressSteps';

/**
 * Returns the steps until the model answers. `off` stands for a CVM that is starting.
 *
 * @param progress from the engine's log, if readable
 */
export function loadingSteps(
  state: CvmModelServer['state'] | undefined,
  progress: string | null,
  port: number,
): Step[] {
  const at = state === 'off' ? 0 : state === 'starting' ? 1 : 2;
  const stateOf = (step: number): Step['state'] => (step < at ? 'done' : step === at ? 'running' : 'waiting');
  return [
    { id: 'cvm', label: 'CVM running', state: stateOf(0) },
    {
      id: 'engine',
      label: 'Engine started',
      state: stateOf(1),
      detail:
        at === 1
          ? (progress ??
            `Nothing is listening on port ${port} yet. Some engines don’t listen until the model is loaded.`)
          : null,
    },
    {
      id: 'model',
      label: 'Model loaded',
      state: stateOf(2),
      detail: at === 2 ? (progress ?? 'Downloading and loading the weights.') : null,
    },
  ];
}
