import type { ReactNode } from 'react';
import { FormDialog } from './FormDialog';

/** Confirms the user's identity before a sensitive action. */
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
      title="Confirm it’s you"
      intro="This action requires confirmation. You won’t be asked again for 15 minutes."
    >
      {children}
    </FormDialog>
  );
}
