import { Suspense } from 'react';
import { mentionsModel } from '../../../lib/ai/mentionsModel';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { Panel } from '../../../ui/layout/Panel';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';
import { useCvm } from '../address';

const ModelPanel = lazyWithRetry(() => import('./ModelPanel').then((m) => ({ default: m.ModelPanel })));

/** The CVM's model, if its Compose file contains an engine's options. */
export function ModelSection() {
  const compose = useCvm().compose_file?.docker_compose_file ?? '';
  if (!mentionsModel(compose)) return null;
  return (
    <Suspense
      fallback={
        <Panel title="Model">
          <CardSkeleton lines={3} />
        </Panel>
      }
    >
      <ModelPanel compose={compose} />
    </Suspense>
  );
}
