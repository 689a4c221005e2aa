import type { ComponentProps } from 'react';
import { PendingButton } from './PendingButton';
import { Tip } from './Tip';

interface Props extends Omit<ComponentProps<typeof PendingButton>, 'pending'> {
  /** Why the action is unavailable; undefined if it is available. */
  reason: string | undefined;
  /** Whether the action is in progress. */
  pending?: boolean;
}

/**
 * A button that is disabled, with the reason, if its action is unavailable. It stays the same element when the reason
 * appears or disappears, and so keeps the focus: often its own press is the cause.
 */
export function ActionButton({ reason, pending = false, disabled = false, ...rest }: Props) {
  return (
    <Tip text={reason}>
      <PendingButton
        pending={pending && reason === undefined}
        disabled={disabled || reason !== undefined}
        {...rest}
      />
    </Tip>
  );
}
