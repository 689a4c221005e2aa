import { Button, type ButtonProps } from './Button';
import { Spinner } from './Spinner';

/**
 * While its action is unavailable or in progress it shows that and ignores clicks, but keeps the focus: a natively
 * disabled button loses it, so keyboard users would lose their place and Escape would no longer close the dialog.
 * The second click of a double click is ignored, too: it may come before the first one's action shows as pending.
 */
export function PendingButton({
  pending,
  disabled = false,
  onClick,
  startIcon,
  ...look
}: ButtonProps & { pending: boolean }) {
  const icon = pending ? <Spinner /> : startIcon;
  const isOff = pending || disabled;
  return (
    <Button
      {...look}
      {...(isOff && { 'aria-disabled': true })}
      startIcon={icon}
      onClick={(event) => {
        // Prevents a form's submission as well.
        if (isOff || event.detail > 1) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
