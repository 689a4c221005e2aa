import { Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { hostStepUp } from '../lib/accounts/stepUp';

interface DialogProps {
  open: boolean;
  onConfirmed: () => void;
  onCancel: () => void;
}

/**
 * The page's only "Confirm it’s you" dialog: any request may open it (`withStepUp`). Its code loads on first use,
 * because few visits need it.
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
