import { Dialog } from '../mui/Dialog';
import styled from '@emotion/styled';
import { useId, useState, type ReactNode } from 'react';
import { PendingButton } from '../controls/PendingButton';
import { DialogActions } from '../forms/DialogActions';
import { TypedName } from '../forms/TypedName';
import { color, radius, space, type } from '../theme';
import { ErrorNotice } from './ErrorNotice';
import type { Problem } from './problem';

const Form = styled('form')({ display: 'grid', gap: space(4), padding: space(5) });
const Title = styled('h2')({ ...type.title, overflowWrap: 'anywhere' });
const Body = styled('div')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Effects = styled('ul')({
  display: 'grid',
  gap: space(1),
  ...type.body,
  paddingLeft: space(4),
  listStyle: 'disc',
  // Hashes and image references have no place to break.
  overflowWrap: 'anywhere',
  '& > li::marker': { color: color.control },
});
const Price = styled('p')({
  ...type.body,
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.control,
  backgroundColor: color.sunken,
});

interface Props {
  open: boolean;
  /** The question, naming the thing: "Delete web-frontend?" */
  title: string;
  children?: ReactNode;
  /** What happens, one sentence each. */
  effects?: string[];
  /** What it costs or stops costing. */
  cost?: ReactNode;
  /** A verb, never "OK". */
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** When given, it must be typed before the action can be taken. */
  typedName?: string;
  /** It can't be confirmed now; `problem` says why. */
  blocked?: boolean;
  pending: boolean;
  problem: Problem | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Before something expensive or irreversible: what happens, to what, and what it costs. */
export function ConfirmDialog(props: Props) {
  const id = useId();
  return (
    <Dialog
      open={props.open}
      onClose={props.pending ? undefined : props.onClose}
      maxWidth="xs"
      fullWidth
      aria-labelledby={id}
      role={props.danger ? 'alertdialog' : 'dialog'}
    >
      <Content {...props} titleId={id} />
    </Dialog>
  );
}

/** Mounted only while open, so what was typed last time is gone. */
function Content({
  title,
  children,
  effects = [],
  cost,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  typedName,
  blocked = false,
  pending,
  problem,
  onConfirm,
  onClose,
  titleId,
}: Props & { titleId: string }) {
  const [typed, setTyped] = useState('');
  const ready = !blocked && (typedName === undefined || typed === typedName);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !pending) onConfirm();
      }}
    >
      <Title id={titleId}>{title}</Title>
      {children !== undefined && <Body>{children}</Body>}
      {effects.length > 0 && (
        <Effects>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </Effects>
      )}
      {cost !== undefined && <Price>{cost}</Price>}
      {typedName !== undefined && <TypedName name={typedName} value={typed} onChange={setTyped} autoFocus />}
      {problem && <ErrorNotice problem={problem} />}
      <DialogActions
        onCancel={onClose}
        cancelLabel={cancelLabel}
        pending={pending}
        autoFocusCancel={typedName === undefined}
      >
        <PendingButton
          type="submit"
          variant="contained"
          tone={danger ? 'danger' : 'neutral'}
          disabled={!ready}
          pending={pending}
        >
          {confirmLabel}
        </PendingButton>
      </DialogActions>
    </Form>
  );
}
