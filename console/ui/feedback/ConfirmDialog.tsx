import { Dialog } from '../mui/Dialog';
import { BulletList } from '../BulletList';
import styled from '@emotion/styled';
import { useId, useState, type ReactNode } from 'react';
import { PendingButton } from '../controls/PendingButton';
import { DialogActions } from '../forms/DialogActions';
import { TypedName } from '../forms/TypedName';
import { color, radius, space, type } from '../theme';
import { useSingleFlight } from '../useSingleFlight';
import { ErrorNotice } from './ErrorNotice';
import type { Problem } from './problem';

const Form = styled('form')({ display: 'grid', gap: space(4), padding: space(5) });
const Title = styled('h2')({ ...type.title, overflowWrap: 'anywhere' });
const Body = styled('div')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Price = styled('p')({
  ...type.body,
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.control,
  backgroundColor: color.sunken,
});

interface Props {
  open: boolean;
  /** The question, with the name: "Delete web-frontend?" */
  title: string;
  children?: ReactNode;
  /** The consequences, one sentence each. */
  effects?: string[];
  /** The cost or savings. */
  cost?: ReactNode;
  /** A verb, never "OK". */
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  /** If set, the user must type it before confirming. */
  typedName?: string;
  /** Whether it can't be confirmed; `problem` says why. */
  blocked?: boolean;
  pending: boolean;
  problem: Problem | null;
  /** Returns a promise if it does something else before its request shows as pending. */
  onConfirm: () => unknown;
  onClose: () => void;
}

/** Confirms expensive or irreversible actions: target, consequences and cost. */
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

/** Mounted only while open, so that earlier input is discarded. */
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
  const confirm = useSingleFlight(onConfirm);
  const ready = !blocked && (typedName === undefined || typed === typedName);
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        // Events reach React parents of a dialog, too: one of them may be a form with its own submission.
        event.stopPropagation();
        if (ready && !pending) confirm();
      }}
    >
      <Title id={titleId}>{title}</Title>
      {children !== undefined && <Body>{children}</Body>}
      {effects.length > 0 && (
        <BulletList>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </BulletList>
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
          isRefused={problem !== null}
        >
          {confirmLabel}
        </PendingButton>
      </DialogActions>
    </Form>
  );
}
