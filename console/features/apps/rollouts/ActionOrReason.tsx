import { Button } from '../../../ui/controls/Button';
import type { ReactNode } from 'react';
import { ShutButton } from '../../../ui/controls/ShutButton';

/** A small button; if disabled, it shows its reason. */
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
