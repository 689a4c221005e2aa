import type { ReactNode } from 'react';
import { FormDialog } from './FormDialog';

/** Before something dangerous is done in the person's name: are they still the one at the screen? */
export function StepUpFrame({
  open,
  onCancel,
  children,
}: {
  open: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  return (
    <FormDialog
      open={open}
      onClose={onCancel}
      title="Confirm that it is you"
      intro="What you are about to do needs it. You are not asked again for 15 minutes."
    >
      {children}
    </FormDialog>
  );
}
