import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, type FormEvent, type ReactNode } from 'react';
import { PendingButton } from '../controls/PendingButton';
import { ErrorNotice } from '../feedback/ErrorNotice';
import type { Problem } from '../feedback/problem';
import { space } from '../theme';

const Form = styled('form')({ display: 'grid', gap: space(5), minWidth: 0 });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });

interface Props {
  /** The last answer's error, or null. Required: a form that cannot show its failure is not finished. */
  error: Problem | null;
  /** Whether the answer is awaited. Required: it stops a second submit. */
  pending: boolean;
  onSubmit: () => void;
  /** A verb: "Create account". */
  submitLabel: string;
  pendingLabel?: string;
  /** Why it cannot be submitted yet, shown beside the button. */
  blockedReason?: string;
  /** Seconds until the server takes another try: the button says so and cannot be pressed. */
  waitSeconds?: number | undefined;
  /** Adds a Cancel button, which waits with everything else for the answer. */
  onCancel?: () => void;
  /** Beside the submit button: a link. */
  secondary?: ReactNode;
  fullWidthSubmit?: boolean;
  'aria-label'?: string;
  children: ReactNode;
}

/** A form: its fields, its error, its one submit. After a failed submit focus goes to the first field at fault. */
export function FormShell({
  error,
  pending,
  onSubmit,
  submitLabel,
  pendingLabel,
  blockedReason,
  waitSeconds,
  onCancel,
  secondary,
  fullWidthSubmit = false,
  children,
  ...aria
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const submitted = useRef(false);

  const focusFault = () => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (invalid) invalid.focus();
    return invalid !== null && invalid !== undefined;
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (pending || blocked) return;
    submitted.current = true;
    onSubmit();
  };

  return (
    <Form ref={form} noValidate onSubmit={submit} aria-busy={pending} {...aria}>
      {children}
      {error && <ErrorNotice problem={error} ref={notice} />}
      <Row>
        <PendingButton
          type="submit"
          variant="contained"
          color="primary"
          disabled={blocked}
          pending={pending}
          fullWidth={fullWidthSubmit}
        >
          {pending
            ? (pendingLabel ?? submitLabel)
            : waitSeconds === undefined
              ? submitLabel
              : `Try again in ${waitSeconds} s`}
        </PendingButton>
        {onCancel && (
          <Button onClick={pending ? undefined : onCancel} aria-disabled={pending}>
            Cancel
          </Button>
        )}
        {secondary}
        {blockedReason !== undefined && <span role="status">{blockedReason}</span>}
      </Row>
    </Form>
  );
}
