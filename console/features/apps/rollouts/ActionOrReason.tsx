import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { ShutButton } from '../../../ui/controls/ShutButton';

/** A small button, or the same shut with the reason why. */
export function ActionOrReason({
  reason,
  onClick,
  children,
}: {
  reason: string | undefined;
  onClick: () => void;
  children: ReactNode;
}) {
  return reason === undefined ? (
    <Button size="small" onClick={onClick}>
      {children}
    </Button>
  ) : (
    <ShutButton size="small" reason={reason}>
      {children}
    </ShutButton>
  );
}
