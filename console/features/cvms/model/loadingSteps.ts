import type { CvmModelServer } from '../../../../generated/api/types.gen';
import type { LoadingProgress } from '../../../lib/ai/loadingProgress';
import type { Step } from '../../../ui/feedback/ProgressSteps';

/**
 * Returns what has to happen until the model answers. `off` stands for a CVM that is being started.
 *
 * @param progress from the engine's log, if that can be read
 */
export function loadingSteps(
  state: CvmModelServer['state'] | undefined,
  progress: LoadingProgress | null,
  port: number,
): Step[] {
  const at = state === 'off' ? 0 : state === 'starting' ? 1 : 2;
  const stateOf = (step: number): Step['state'] => (step < at ? 'done' : step === at ? 'running' : 'waiting');
  const worked = progress && `${progress.percent}%: ${progress.line}`;
  return [
    { id: 'cvm', label: 'CVM running', state: stateOf(0) },
    {
      id: 'engine',
      label: 'Engine started',
      state: stateOf(1),
      detail:
        at === 1
          ? (worked ??
            `Nothing listens on port ${port} yet. Some engines listen only when the model is loaded.`)
          : null,
    },
    {
      id: 'model',
      label: 'Model loaded',
      state: stateOf(2),
      detail: at === 2 ? (worked ?? 'The weights are downloaded and loaded.') : null,
    },
  ];
}
