import styled from '@emotion/styled';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { Button } from '../controls/Button';
import { color, space, type } from '../theme';

/**
 * Set inside a dialog, where a form ends with DialogActions. They call it when their action becomes pending, and when
 * it no longer is: meanwhile the dialog stays open, because closing it wouldn't cancel the request.
 */
export const InDialog = createContext<((pending: boolean) => void) | null>(null);

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'flex-end',
  gap: space(2),
  '@media print': { display: 'none' },
});
const Aside = styled('div')({
  ...type.small,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  flex: '1 1 0',
  gap: space(2),
  minWidth: 'min(160px, 100%)',
  color: color.muted,
});

interface Props {
  /** Closes the dialog without acting. Absent if there is nothing to cancel. */
  onCancel?: (() => void) | undefined;
  /** "Close" if there is nothing to cancel; "Go back" or "Keep draining" if the action itself cancels something. */
  cancelLabel?: string;
  autoFocusCancel?: boolean;
  /** Whether the action is in progress and can't be canceled. */
  pending?: boolean;
  /** On the left: why the action is unavailable, or secondary controls. */
  aside?: ReactNode;
  /** The action's button. */
  children?: ReactNode;
}

/** The buttons of every dialog, in the same order: Cancel, then the action on the right. */
export function DialogActions({
  onCancel,
  cancelLabel = 'Cancel',
  autoFocusCancel = false,
  pending = false,
  aside,
  children,
}: Props) {
  const inDialog = useContext(InDialog);
  useEffect(() => {
    inDialog?.(pending);
    return () => inDialog?.(false);
  }, [inDialog, pending]);
  return (
    <Row>
      {aside !== undefined && aside !== false && <Aside>{aside}</Aside>}
      {onCancel && (
        <Button onClick={pending ? undefined : onCancel} aria-disabled={pending} autoFocus={autoFocusCancel}>
          {cancelLabel}
        </Button>
      )}
      {children}
    </Row>
  );
}
