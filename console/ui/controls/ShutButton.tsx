import Button, { type ButtonProps } from '@mui/material/Button';
import { Tip } from './Tip';

/** A button that cannot be used now, and says why. It stays reachable by keyboard, so that the reason is. */
export function ShutButton({ reason, ...look }: Omit<ButtonProps, 'onClick'> & { reason: string }) {
  return (
    <Tip text={reason}>
      <Button {...look} aria-disabled />
    </Tip>
  );
}
