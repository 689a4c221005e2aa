import { useState, type ReactNode } from 'react';
import { fieldProblem, type Problem } from '../feedback/problem';
import { FormDialog } from './FormDialog';
import { FormShell } from './FormShell';
import { TextInput } from './TextInput';

interface Props {
  title: string;
  /** The current name. */
  name: string;
  typed: string;
  onType: (typed: string) => void;
  /** Shown instead of the form until a conflicting rename is resolved. */
  conflict?: ReactNode;
  maxLength?: number;
  pending: boolean;
  problem: Problem | null;
  /** Called with the trimmed new name, never with an empty one. */
  onSave: (name: string) => void;
  onClose: () => void;
}

/** A dialog for a new name. Mounted only while open. */
export function RenameDialog({
  title,
  name,
  typed,
  onType,
  conflict,
  maxLength = 100,
  pending,
  problem,
  onSave,
  onClose,
}: Props) {
  const [tried, setTried] = useState(false);
  const trimmed = typed.trim();
  const submit = () => {
    setTried(true);
    if (trimmed === name) onClose();
    else if (trimmed !== '') onSave(trimmed);
  };
  if (conflict)
    return (
      <FormDialog open onClose={onClose} title={title}>
        {conflict}
      </FormDialog>
    );
  return (
    <FormDialog open onClose={onClose} title={title}>
      <FormShell
        aria-label={title}
        error={problem}
        fields={['name']}
        pending={pending}
        onSubmit={submit}
        submitLabel="Rename"
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          value={typed}
          maxLength={maxLength}
          autoFocus
          autoComplete="off"
          onChange={(event) => onType(event.target.value)}
          error={tried && trimmed === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
        />
      </FormShell>
    </FormDialog>
  );
}
