import { Dialog } from '../mui/Dialog';
import styled from '@emotion/styled';
import { useContext, useEffect, useId, useState, type ReactNode } from 'react';
import { HoldPageContext } from '../pageHold';
import { color, space, type } from '../theme';
import { InDialog } from './DialogActions';

const Body = styled('div')({ padding: space(5), display: 'grid', gap: space(4), minWidth: 0 });
const Title = styled('h2')({ ...type.title, overflowWrap: 'anywhere' });
const Text = styled('div')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });

interface Props {
  open: boolean;
  /**
   * Absent if it must not be closed, because it shows something only once. A pending form keeps it open, too. Neither
   * is closed by Back.
   */
  onClose?: (() => void) | undefined;
  title: string;
  intro?: ReactNode;
  /** Wider than two short fields need; "table" leaves space for one. */
  wide?: boolean | 'table';
  children: ReactNode;
}

/** A form or text over the page. Its content is mounted only while open, so it starts empty each time. */
export function FormDialog({ open, onClose, title, intro, wide = false, children }: Props) {
  const id = useId();
  const [pending, setPending] = useState(false);
  const holdPage = useContext(HoldPageContext);
  const isShownOnce = onClose === undefined;
  const isHeld = open && (isShownOnce || pending);
  useEffect(() => (isHeld ? holdPage?.(isShownOnce) : undefined), [holdPage, isHeld, isShownOnce]);
  return (
    <Dialog
      open={open}
      onClose={pending ? undefined : onClose}
      maxWidth={wide === 'table' ? 'md' : wide ? 'sm' : 'xs'}
      fullWidth
      aria-labelledby={id}
    >
      <Body>
        <Title id={id}>{title}</Title>
        {intro !== undefined && <Text>{intro}</Text>}
        <InDialog value={setPending}>{children}</InDialog>
      </Body>
    </Dialog>
  );
}
