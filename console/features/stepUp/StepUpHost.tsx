import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { hostStepUp } from '../../api/stepUp';

// Passwords, codes and passkeys: only few pages of a day ask.
const StepUpDialog = lazy(() =>
  import('./StepUpDialog').then(({ StepUpDialog }) => ({ default: StepUpDialog })),
);

/** The page's one place for "Confirm that it is you": any request may open it (`withStepUp`). */
export function StepUpHost() {
  const [open, setOpen] = useState(false);
  const [loaded, setLoaded] = useState(false);
  const answer = useRef<(confirmed: boolean) => void>(undefined);

  useEffect(
    () =>
      hostStepUp(
        () =>
          new Promise((resolve) => {
            answer.current = resolve;
            setLoaded(true);
            setOpen(true);
          }),
      ),
    [],
  );

  const done = (confirmed: boolean) => {
    setOpen(false);
    answer.current?.(confirmed);
  };
  return (
    <Suspense fallback={null}>
      {loaded && <StepUpDialog open={open} onConfirmed={() => done(true)} onCancel={() => done(false)} />}
    </Suspense>
  );
}
