import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { Tip } from './Tip';

interface Props extends Omit<IconButtonProps, 'children' | 'title'> {
  /** What it does, as a verb: the accessible name and the hint. */
  label: string;
  /** Shown after the label in the hint, for example a shortcut. */
  hint?: string;
  children: ReactNode;
}

/** A button that is only an icon. */
export function IconAction({ label, hint, children, ...rest }: Props) {
  return (
    <Tip text={hint === undefined ? label : `${label} (${hint})`}>
      <IconButton aria-label={label} {...rest}>
        {children}
      </IconButton>
    </Tip>
  );
}
