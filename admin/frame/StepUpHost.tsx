import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { hostStepUp } from '../../console/lib/stepUp';

const StepUpDialog = lazy(() => import('./StepUpDialog').then((m) => ({ default: m.StepUpDialog })));

/** The area's one place for "Confirm that it is you": any request may open it. */
export function StepUpHost() {
  const [open, setOpen] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(undefined);
  useEffect(
    () =>
      hostStepUp(
        () =>
          new Promise((resolve) => {
            answer.current = resolve;
            setOpen(true);
          }),
      ),
    [],
  );
  const done = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
  };
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog onDone={done} />
    </Suspense>
  );
}
