import { Button, type ButtonProps } from './Button';
import { Tip } from './Tip';

/** A disabled button with its reason. It stays reachable by keyboard, so that the reason can be read. */
export function ShutButton({ reason, ...look }: ButtonProps & { reason: string }) {
  return (
    <Tip text={reason}>
      <Button {...look} aria-disabled onClick={(event) => event.preventDefault()} />
    </Tip>
  );
}
