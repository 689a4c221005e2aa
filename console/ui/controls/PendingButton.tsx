import { Button, type ButtonProps } from './Button';
import { Spinner } from './Spinner';

/**
 * While its action is under way it says so and takes no press, but keeps the focus: a disabled button loses it, and
 * then keyboard users lose their place, and Escape no longer closes the dialog.
 */
export function PendingButton({ pending, onClick, ...look }: ButtonProps & { pending: boolean }) {
  return pending ? (
    <Button {...look} aria-disabled startIcon={<Spinner />} onClick={(event) => event.preventDefault()} />
  ) : (
    <Button {...look} onClick={onClick} />
  );
}
