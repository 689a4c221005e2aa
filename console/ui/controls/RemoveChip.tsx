import XIcon from 'lucide-react/icons/x';
import styled from '@emotion/styled';
import type { ComponentPropsWithRef } from 'react';
import { color, radius } from '../theme';

const Root = styled('button')({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  flex: 'none',
  width: 26,
  height: 26,
  padding: 0,
  border: 0,
  borderRadius: radius.control,
  background: 'none',
  color: color.muted,
  fontSize: 14,
  cursor: 'pointer',
  '&:hover': { color: color.text },
});

/** The button at a chip's end that removes it. */
export function RemoveChip(props: ComponentPropsWithRef<'button'> & { 'aria-label': string }) {
  return (
    <Root type="button" {...props}>
      <XIcon />
    </Root>
  );
}
