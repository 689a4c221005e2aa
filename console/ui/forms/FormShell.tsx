import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import {
  useContext,
  useEffect,
  useId,
  useReducer,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { PendingButton } from '../controls/PendingButton';
import { ErrorNotice } from '../feedback/ErrorNotice';
import { atFields, type Problem } from '../feedback/problem';
import { Row } from '../layout/Row';
import { below, color, space, type } from '../theme';
import { useSingleFlight } from '../useSingleFlight';
import { DialogActions, InDialog } from './DialogActions';
import { FieldErrorCount } from './Field';

const Form = styled('form')({
  display: 'grid',
  gap: space(5),
  minWidth: 0,
  // A focused control scrolls into view above the sticky actions.
  '&[data-sticky-actions="true"] :is(a, button, input, select, summary, textarea)': {
    scrollMarginBottom: space(20),
  },
  '&[data-sticky-actions="true"] > [role="alert"]': { maxWidth: 860 },
});

/**
 * Stays visible at the bottom of the window on long forms. As wide as the page, so that nothing shows beside it.
 */
const StickyRow = styled(Row)({
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  margin: `0 -${space(6)}`,
  padding: `${space(3)} ${space(6)}`,
  paddingBottom: `max(${space(3)}, env(safe-area-inset-bottom))`,
  [below.phone]: { margin: `0 -${space(4)}`, paddingInline: space(4) },
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.surface,
});

const Reason = styled('span')({ ...type.small, color: color.muted });

interface Props {
  /** The error of the last response, or null. Required, so that every form shows its failures. */
  error: Problem | null;
  /** Names of the fields that show their own part of the error (`fieldProblem`). */
  fields?: readonly string[];
  /** Whether a response is pending. Required, because it prevents a second submit. */
  pending: boolean;
  /** Returns a promise if it does something else before its request shows as pending. */
  onSubmit: () => unknown;
  /** A verb: "Create account". */
  submitLabel: string;
  pendingLabel?: string;
  /** Why it can't be submitted yet; shown beside the button. */
  blockedReason?: string;
  /** Seconds until the server accepts another attempt: the button shows it and ignores clicks. */
  waitSeconds?: number | undefined;
  /** Adds a Cancel button, which is disabled while a response is pending. */
  onCancel?: () => void;
  /** A link beside the submit button. */
  secondary?: ReactNode;
  fullWidthSubmit?: boolean;
  /** Keeps the actions visible on a form taller than the window. */
  stickyActions?: boolean;
  'aria-label'?: string;
  children: ReactNode;
}

/**
 * A form with its fields, error and single submit button. After a failed submit, focus moves to the first invalid
 * field.
 */
export function FormShell({
  error,
  fields = [],
  pending,
  onSubmit,
  submitLabel,
  pendingLabel,
  blockedReason,
  waitSeconds,
  onCancel,
  secondary,
  fullWidthSubmit = false,
  stickyActions = false,
  children,
  ...aria
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const submitted = useRef(false);
  // A second submit with the same faults changes no state, but must move the focus like the first.
  const [, render] = useReducer((renders: number) => renders + 1, 0);

  const inDialog = useContext(InDialog);
  const reasonId = useId();
  const problem = error && atFields(error, fields);
  const [shownErrors, countErrors] = useReducer((shown: number, change: 1 | -1) => shown + change, 0);
  // An error that fields have shown is over once none does. One that none has shown isn't: nothing else shows it.
  const [wasAtField, setWasAtField] = useState(false);
  const isAtField = problem?.isAtField === true && (wasAtField || shownErrors > 0);
  if (isAtField !== wasAtField) setWasAtField(isAtField);
  const isCorrected = isAtField && shownErrors === 0;

  const focusFault = () => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!invalid) return false;
    // A group can't take focus; its first control announces the group and its error.
    const control = invalid.matches('fieldset')
      ? invalid.querySelector<HTMLElement>(':is(input, select, textarea, button):not(:disabled)')
      : invalid;
    control?.focus();
    return true;
  };

  // Field errors may appear in the same render as `error`, or a render after submit (validated here).
  useEffect(() => {
    if (!submitted.current || pending) return;
    if (focusFault()) submitted.current = false;
    else if (error) {
      submitted.current = false;
      notice.current?.focus();
    }
  });

  const blocked = blockedReason !== undefined || waitSeconds !== undefined;
  const send = useSingleFlight(onSubmit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pending || blocked) return;
    send();
    // After a request that it starts shows as pending: until then, fields that were edited can still be marked.
    setTimeout(() => {
      submitted.current = true;
      render();
    });
  };

  const Actions = stickyActions ? StickyRow : Row;
  const action = (
    <PendingButton
      type="submit"
      variant="contained"
      disabled={blocked}
      pending={pending}
      isRefused={error !== null || shownErrors > 0}
      {...(blockedReason !== undefined && { 'aria-describedby': reasonId })}
      fullWidth={fullWidthSubmit}
    >
      {pending
        ? (pendingLabel ?? submitLabel)
        : waitSeconds === undefined
          ? submitLabel
          : `Try again in ${waitSeconds} s`}
    </PendingButton>
  );
  const reason = blockedReason !== undefined && (
    <Reason role="status" id={reasonId}>
      {blockedReason}
    </Reason>
  );
  return (
    <Form
      ref={form}
      noValidate
      onSubmit={submit}
      onInput={() => {
        // A fault that appears while typing must not take the focus.
        submitted.current = false;
      }}
      aria-busy={pending}
      data-sticky-actions={stickyActions}
      {...aria}
    >
      <FieldErrorCount value={countErrors}>{children}</FieldErrorCount>
      {problem && !isCorrected && <ErrorNotice problem={problem} ref={notice} />}
      {inDialog ? (
        <DialogActions
          onCancel={onCancel}
          pending={pending}
          aside={
            (secondary || reason) && (
              <>
                {secondary}
                {reason}
              </>
            )
          }
        >
          {action}
        </DialogActions>
      ) : (
        <Actions>
          {action}
          {onCancel && (
            <Button onClick={pending ? undefined : onCancel} aria-disabled={pending}>
              Cancel
            </Button>
          )}
          {secondary}
          {reason}
        </Actions>
      )}
    </Form>
  );
}
