import { Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { hostStepUp } from '../lib/accounts/stepUp';

interface DialogProps {
  open: boolean;
  onConfirmed: () => void;
  onCancel: () => void;
}

/**
 * The page's one place for "Confirm it’s you": any request may open it (`withStepUp`). The dialog comes with the
 * first question, as few pages of a day ask.
 */
export function StepUpHost({ dialog: Dialog }: { dialog: ComponentType<DialogProps> }) {
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
      {loaded && <Dialog open={open} onConfirmed={() => done(true)} onCancel={() => done(false)} />}
    </Suspense>
  );
}
