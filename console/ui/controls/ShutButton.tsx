import { Button, type ButtonProps } from './Button';
import { Tip } from './Tip';

/** A button that can't be used now and says why. It stays reachable by keyboard, so that the reason is. */
export function ShutButton({ reason, ...look }: ButtonProps & { reason: string }) {
  return (
    <Tip text={reason}>
      <Button {...look} aria-disabled onClick={(event) => event.preventDefault()} />
    </Tip>
  );
}
