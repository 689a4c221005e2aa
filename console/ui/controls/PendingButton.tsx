import Button, { type ButtonProps } from '@mui/material/Button';
import { Spinner } from './Spinner';

/**
 * While its action is under way it says so and takes no press, but keeps the focus: a disabled button loses it, and
 * with it whoever uses the keyboard loses their place, and Escape its dialog.
 */
export function PendingButton({ pending, onClick, ...look }: ButtonProps & { pending: boolean }) {
  return pending ? (
    <Button {...look} aria-disabled startIcon={<Spinner />} onClick={(event) => event.preventDefault()} />
  ) : (
    <Button {...look} onClick={onClick} />
  );
}
