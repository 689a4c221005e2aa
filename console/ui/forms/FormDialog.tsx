import { Dialog } from '../mui/Dialog';
import styled from '@emotion/styled';
import { useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../feedback/ConfirmDialog';
import { HoldPageContext } from '../pageHold';
import { color, space, type } from '../theme';
import { InDialog } from './DialogActions';
import { holdsText, isTextField, type TextField } from './typedFields';

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
  /** Whether a code editor in it holds changes: it isn't a field whose typed text is noticed here. */
  isEdited?: boolean;
  children: ReactNode;
}

/**
 * A form or text over the page. Its content is mounted only while open, so it starts empty each time. Escape and a
 * click beside it ask before they discard typed text; Cancel says what it does.
 */
export function FormDialog({ open, onClose, title, intro, wide = false, isEdited = false, children }: Props) {
  const id = useId();
  const [pending, setPending] = useState(false);
  const [asking, setAsking] = useState(false);
  if (asking && !open) setAsking(false);
  const typed = useRef(new Set<TextField>());
  const holdPage = useContext(HoldPageContext);
  const isShownOnce = onClose === undefined;
  const isHeld = open && (isShownOnce || pending);
  useEffect(() => (isHeld ? holdPage?.(isShownOnce) : undefined), [holdPage, isHeld, isShownOnce]);
  const close = () => (isEdited || holdsText(typed.current) ? setAsking(true) : onClose?.());
  return (
    <>
      <Dialog
        open={open}
        onClose={pending || isShownOnce ? undefined : close}
        maxWidth={wide === 'table' ? 'md' : wide ? 'sm' : 'xs'}
        fullWidth
        aria-labelledby={id}
      >
        <Body
          onInput={({ target }) => {
            if (isTextField(target)) typed.current.add(target);
          }}
        >
          <Title id={id}>{title}</Title>
          {intro !== undefined && <Text>{intro}</Text>}
          <InDialog value={setPending}>{children}</InDialog>
        </Body>
      </Dialog>
      <ConfirmDialog
        open={asking && open}
        title="Discard what you entered?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        danger
        pending={false}
        problem={null}
        onConfirm={() => {
          setAsking(false);
          onClose?.();
        }}
        onClose={() => setAsking(false)}
      >
        It hasn’t been saved and will be lost.
      </ConfirmDialog>
    </>
  );
}
