import { Button, type ButtonProps } from '../../ui/controls/Button';
import { ShutButton } from '../../ui/controls/ShutButton';

interface Props extends Omit<ButtonProps, 'disabled'> {
  /** Why the action is blocked. The button stays focusable so the reason can be read. */
  reason: string | undefined;
}

/** A button that explains why it is disabled. */
export function ActionButton({ reason, ...rest }: Props) {
  if (reason === undefined) return <Button {...rest} />;
  return <ShutButton reason={reason} {...rest} />;
}
