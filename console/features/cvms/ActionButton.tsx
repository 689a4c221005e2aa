import Button, { type ButtonProps } from '@mui/material/Button';
import { Tip } from '../../ui/controls/Tip';

interface Props extends Omit<ButtonProps, 'disabled'> {
  /** Why it cannot be done now. The button stays reachable, so that everyone can learn the reason. */
  reason: string | undefined;
}

/** A button that says why it does nothing. */
export function ActionButton({ reason, onClick, style, ...rest }: Props) {
  if (reason === undefined) return <Button onClick={onClick} style={style} {...rest} />;
  return (
    <Tip text={reason}>
      <Button
        {...rest}
        aria-disabled
        disableRipple
        style={{ ...style, opacity: 0.55, cursor: 'not-allowed' }}
        onClick={(event) => event.preventDefault()}
      />
    </Tip>
  );
}
