import { useSingleFlight } from '../useSingleFlight';
import { Button, type ButtonProps } from './Button';
import { Spinner } from './Spinner';

interface Props extends Omit<ButtonProps, 'onClick'> {
  pending: boolean;
  /** Whether the last attempt was refused, and the button tries again. */
  isRefused?: boolean;
  /** A returned promise is the action: until it settles, clicks are ignored. */
  onClick?: ((...event: Parameters<NonNullable<ButtonProps['onClick']>>) => unknown) | undefined;
}

/**
 * While its action is unavailable or in progress it shows that and ignores clicks, but keeps the focus: a natively
 * disabled button loses it, so keyboard users would lose their place and Escape would no longer close the dialog.
 * The second click of a double click is ignored, too: the first one's action may have ended by then, and the button
 * undo it. After a refusal it counts, because that is when users click again.
 */
export function PendingButton({
  pending,
  disabled = false,
  isRefused = false,
  onClick,
  startIcon,
  ...look
}: Props) {
  const icon = pending ? <Spinner /> : startIcon;
  const isOff = pending || disabled;
  const press = useSingleFlight<Parameters<NonNullable<typeof onClick>>, unknown>((event) =>
    onClick?.(event),
  );
  return (
    <Button
      {...look}
      {...(isOff && { 'aria-disabled': true })}
      startIcon={icon}
      onClick={(event) => {
        // Prevents a form's submission as well.
        if (isOff || (event.detail > 1 && !isRefused)) event.preventDefault();
        else press(event);
      }}
    />
  );
}
