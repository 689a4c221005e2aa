import { Button, type ButtonProps } from './Button';
import { Spinner } from './Spinner';

/**
 * While its action is in progress it shows that and ignores clicks, but keeps the focus: a disabled button loses
 * it, so keyboard users would lose their place and Escape would no longer close the dialog.
 */
export function PendingButton({ pending, onClick, ...look }: ButtonProps & { pending: boolean }) {
  return pending ? (
    <Button {...look} aria-disabled startIcon={<Spinner />} onClick={(event) => event.preventDefault()} />
  ) : (
    <Button {...look} onClick={onClick} />
  );
}
