import styled from '@emotion/styled';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { color, focusRing, radius, size as sizes } from '../theme';
import { Tip } from './Tip';

const Root = styled('button')({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  flex: 'none',
  boxSizing: 'border-box',
  width: sizes.control,
  height: sizes.control,
  margin: 0,
  padding: 0,
  border: 0,
  borderRadius: radius.control,
  background: 'none',
  color: color.muted,
  fontSize: '18px',
  cursor: 'pointer',
  '&[data-size="small"]': {
    width: '24px',
    height: '24px',
    fontSize: '15px',
    borderRadius: radius.small,
  },
  '&:hover': { backgroundColor: color.hover, color: color.text },
  '&:focus-visible': focusRing,
  '&:disabled': { cursor: 'default', pointerEvents: 'none', color: color.faint },
});

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'title'> {
  /** The action, as a verb: used as accessible name and tooltip. */
  label: string;
  /** Shown after the label in the tooltip, for example a shortcut. */
  hint?: string;
  size?: 'small' | 'medium';
  children: ReactNode;
}

/** An icon-only button. */
export function IconAction({ label, hint, size = 'medium', children, ...rest }: Props) {
  return (
    <Tip text={hint === undefined ? label : `${label} (${hint})`}>
      <Root type="button" aria-label={label} data-size={size} {...rest}>
        {children}
      </Root>
    </Tip>
  );
}
