import { LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { PendingButton } from '../../console/ui/controls/PendingButton';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import type { Problem } from '../../console/ui/feedback/problem';
import { DialogActions } from '../../console/ui/forms/DialogActions';
import { space } from '../../console/ui/theme';
import { applies } from '../schema/forms';
import { Input } from '../schema/Input';
import type { FieldDescription } from '../schema/types';
import { ownValue } from '../../console/lib/ownValue';
import { boxProblem } from './boxProblem';

const Fields = styled('div')({
  display: 'grid',
  gap: space(5),
  minWidth: 0,
  // Tables and a dialog's buttons use the full width.
  '& > :not([data-wide], :last-child)': { maxWidth: 560 },
});
const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});

interface Props {
  fields: readonly FieldDescription[];
  submitLabel: string;
  /** Cancel link of a page; a dialog passes `onCancel` instead. */
  cancelHref?: string;
  onCancel?: () => void;
  /** Label of `onCancel`. */
  cancelLabel?: string;
  saving: boolean;
  problem: Problem | null;
  /** Shown below the fields, for example a preview. */
  panel?: ReactNode;
  /** Shown below the problem, for example to resolve a conflict. */
  remedy?: ReactNode;
  /** Whether the action can't be undone. */
  danger?: boolean;
  /** False while something outside the form is missing or a conflict is unresolved. */
  ready?: boolean;
}

/** Inputs, error and submit button. Must be inside a SaveForm. */
export function RecordForm({
  fields,
  submitLabel,
  cancelHref,
  onCancel,
  cancelLabel = 'Cancel',
  saving,
  problem,
  panel,
  remedy,
  danger = false,
  ready = true,
}: Props) {
  const shown = useShownFields(fields);
  const current = boxProblem(
    useCurrentProblem(problem),
    shown.map(({ name }) => name),
  );
  const root = useRef<HTMLDivElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const { submitCount } = useFormState();
  const seen = useRef(submitCount);
  // After a failed save, focuses the first invalid input, or the error.
  useEffect(() => {
    if (saving || submitCount === seen.current) return;
    const fault = root.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!fault && !current) return;
    seen.current = submitCount;
    (fault ?? notice.current)?.focus();
  });
  const submit = (
    <PendingButton
      type="submit"
      variant="contained"
      tone={danger ? 'danger' : 'neutral'}
      disabled={!ready}
      pending={saving}
      isRefused={current !== null}
    >
      {submitLabel}
    </PendingButton>
  );
  return (
    <Fields ref={root}>
      {shown.map((field) => (
        <Input key={field.name} field={field} />
      ))}
      {panel}
      {current && <ErrorNotice problem={current} ref={notice} />}
      {remedy}
      {onCancel ? (
        <DialogActions onCancel={onCancel} cancelLabel={cancelLabel} pending={saving}>
          {submit}
        </DialogActions>
      ) : (
        <Row>
          {submit}
          {cancelHref !== undefined && (
            <LinkButton href={cancelHref} variant="text">
              Cancel
            </LinkButton>
          )}
        </Row>
      )}
    </Fields>
  );
}

/**
 * Hides the server's error once a value changes, because it was about the values sent and would contradict the
 * form.
 */
function useCurrentProblem(problem: Problem | null): Problem | null {
  const { subscribe } = useFormContext();
  const [isEdited, setIsEdited] = useState(false);
  const isAnswered = problem !== null;
  useEffect(() => {
    if (!isAnswered) return undefined;
    const stop = subscribe({ formState: { values: true }, callback: () => setIsEdited(true) });
    // Clears the problem while saving again; the next response is new.
    return () => {
      stop();
      setIsEdited(false);
    };
  }, [isAnswered, subscribe]);
  return isEdited ? null : problem;
}

/** Returns the fields that apply to the values chosen so far. */
function useShownFields(fields: readonly FieldDescription[]): FieldDescription[] {
  const values = useWatch() as Record<string, unknown>;
  const { setValue } = useFormContext();
  // A switch left on would be refused while invisible.
  const leftOn = fields
    .filter(
      (field) => field.type === 'boolean' && !applies(field, values) && ownValue(values, field.name) === true,
    )
    .map(({ name }) => name)
    .join(' ');
  useEffect(() => {
    if (leftOn !== '') for (const name of leftOn.split(' ')) setValue(name, false, { shouldDirty: true });
  }, [leftOn, setValue]);
  return fields.filter((field) => applies(field, values));
}
