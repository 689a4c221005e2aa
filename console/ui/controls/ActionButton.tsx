import type { ButtonProps } from './Button';
import { PendingButton } from './PendingButton';
import { ShutButton } from './ShutButton';

interface Props extends Omit<ButtonProps, 'disabled'> {
  /** Why the action is unavailable; undefined if it is available. */
  reason: string | undefined;
  /** Whether the action is in progress. */
  pending?: boolean;
}

/** A button that is disabled, with the reason, if its action is unavailable. */
export function ActionButton({ reason, pending = false, ...rest }: Props) {
  if (reason === undefined) return <PendingButton pending={pending} {...rest} />;
  return <ShutButton reason={reason} {...rest} />;
}
