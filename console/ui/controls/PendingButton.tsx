import { Button, type ButtonProps } from './Button';
import { Spinner } from './Spinner';

/**
 * While its action is unavailable or in progress it shows that and ignores clicks, but keeps the focus: a natively
 * disabled button loses it, so keyboard users would lose their place and Escape would no longer close the dialog.
 */
export function PendingButton({
  pending,
  disabled = false,
  onClick,
  startIcon,
  ...look
}: ButtonProps & { pending: boolean }) {
  const icon = pending ? <Spinner /> : startIcon;
  return pending || disabled ? (
    <Button {...look} aria-disabled startIcon={icon} onClick={(event) => event.preventDefault()} />
  ) : (
    <Button {...look} startIcon={icon} onClick={onClick} />
  );
}
