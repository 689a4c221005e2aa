import Button from '@mui/material/Button';
import { useState } from 'react';
import { fieldProblem, type Problem } from '../feedback/problem';
import { FormDialog } from './FormDialog';
import { FormShell } from './FormShell';
import { TextInput } from './TextInput';

interface Props {
  title: string;
  /** The present name. */
  name: string;
  maxLength?: number;
  pending: boolean;
  problem: Problem | null;
  /** Called with the trimmed new name, never with an empty one. */
  onSave: (name: string) => void;
  onClose: () => void;
}

/** One new name. Mounted only while open. */
export function RenameDialog({ title, name, maxLength = 100, pending, problem, onSave, onClose }: Props) {
  const [typed, setTyped] = useState(name);
  const [tried, setTried] = useState(false);
  const trimmed = typed.trim();
  const submit = () => {
    setTried(true);
    if (trimmed === name) onClose();
    else if (trimmed !== '') onSave(trimmed);
  };
  return (
    <FormDialog open onClose={pending ? undefined : onClose} title={title}>
      <FormShell
        aria-label={title}
        error={problem}
        pending={pending}
        onSubmit={submit}
        submitLabel="Rename"
        secondary={
          <Button onClick={pending ? undefined : onClose} aria-disabled={pending}>
            Cancel
          </Button>
        }
      >
        <TextInput
          label="Name"
          value={typed}
          maxLength={maxLength}
          autoFocus
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
          error={tried && trimmed === '' ? 'A name is needed.' : fieldProblem(problem, 'name')}
        />
      </FormShell>
    </FormDialog>
  );
}
