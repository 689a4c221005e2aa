import { Button, type ButtonProps } from './Button';
import { ShutButton } from './ShutButton';

interface Props extends Omit<ButtonProps, 'disabled'> {
  /** Why the action is unavailable; undefined if it is available. */
  reason: string | undefined;
}

/** A button that is disabled, with the reason, if its action is unavailable. */
export function ActionButton({ reason, ...rest }: Props) {
  if (reason === undefined) return <Button {...rest} />;
  return <ShutButton reason={reason} {...rest} />;
}
