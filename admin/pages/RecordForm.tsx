import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, type ReactNode } from 'react';
import { useFormState } from 'react-hook-form';
import { Spinner } from '../../console/ui/controls/Spinner';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import type { Problem } from '../../console/ui/feedback/problem';
import { space } from '../../console/ui/theme';
import { Input } from '../schema/Input';
import type { FieldDescription } from '../schema/types';

const Fields = styled('div')({ display: 'grid', gap: space(5), maxWidth: 560, minWidth: 0 });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });

interface Props {
  fields: readonly FieldDescription[];
  submitLabel: string;
  /** Where to when nothing is to be saved; or, in a dialog, what closes it. */
  cancelHref?: string;
  cancel?: ReactNode;
  saving: boolean;
  problem: Problem | null;
  /** Beside the problem: a way out of it. */
  remedy?: ReactNode;
  /** Cannot be taken back. */
  danger?: boolean;
  /** False while something beside the form is missing. */
  ready?: boolean;
}

/** The inputs of a description, the answer's problem and the one submit. Stands inside react-admin's Form. */
export function RecordForm({
  fields,
  submitLabel,
  cancelHref,
  cancel,
  saving,
  problem,
  remedy,
  danger = false,
  ready = true,
}: Props) {
  const root = useRef<HTMLDivElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const { submitCount } = useFormState();
  const seen = useRef(submitCount);
  // After a failed save focus goes to the first input at fault, else to what the server said.
  useEffect(() => {
    if (saving || submitCount === seen.current) return;
    const fault = root.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!fault && !problem) return;
    seen.current = submitCount;
    (fault ?? notice.current)?.focus();
  });
  return (
    <Fields ref={root}>
      {fields.map((field) => (
        <Input key={field.name} field={field} />
      ))}
      {problem && <ErrorNotice problem={problem} ref={notice} />}
      {remedy}
      <Row>
        <Button
          type="submit"
          variant="contained"
          color={danger ? 'error' : 'primary'}
          disabled={saving || !ready}
          startIcon={saving ? <Spinner /> : undefined}
        >
          {submitLabel}
        </Button>
        {cancelHref === undefined ? (
          cancel
        ) : (
          <LinkButton href={cancelHref} variant="text">
            Cancel
          </LinkButton>
        )}
      </Row>
    </Fields>
  );
}
