import styled from '@emotion/styled';
import { useState, type ReactNode } from 'react';
import { color, focusRing, space, type } from '../theme';

const Root = styled('details')({
  minWidth: 0,
  '& > summary': {
    ...type.small,
    fontWeight: 550,
    color: color.text,
    cursor: 'pointer',
    width: 'fit-content',
  },
  '& > summary:focus-visible': focusRing,
});
const Stack = styled('div')({ display: 'grid', gap: space(4), marginTop: space(3), minWidth: 0 });

interface Props {
  summary: string;
  /** Keeps it open. */
  isForced?: boolean;
  children: ReactNode;
}

/** Controls that most users don't need, folded until opened. */
export function Fold({ summary, isForced = false, children }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Root
      open={open || isForced}
      onToggle={({ currentTarget }) => {
        if (isForced) currentTarget.open = true;
        else setOpen(currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      <Stack>{children}</Stack>
    </Root>
  );
}
