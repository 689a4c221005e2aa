import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createAiKeyMutation,
  revokeAiKeyMutation,
  rotateAiKeyMutation,
  updateAiKeyMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { AiKey, CreatedAiKey } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { Button } from '../../ui/controls/Button';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Notice } from '../../ui/feedback/Notice';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormDialog } from '../../ui/forms/FormDialog';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';
import { emptyKey, toCreate, toPatch, valuesOf } from './keyForm';
import { KeyForm } from './KeyForm';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

interface Props {
  teamSlug: string;
  onClose: () => void;
}

/** The secret, shown once. Closes only through its button, so no stray click loses it. */
function SecretShown({ created, onDone }: { created: CreatedAiKey; onDone: () => void }) {
  return (
    <FormDialog open wide title="Copy the key">
      <Stack>
        <Notice tone="attention" title="This key is shown only once.">
          Store it where your program can read it. If you lose it, rotate or revoke it.
        </Notice>
        <CodeBlock code={created.secret} title={created.key.name} />
        <DialogActions>
          <Button variant="contained" onClick={onDone}>
            I’ve copied it
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}

/** The form, then the secret. */
export function CreateKeyDialog({ teamSlug, onClose }: Props) {
  const [values, setValues] = useState(emptyKey);
  const [made, setMade] = useState<CreatedAiKey | null>(null);
  const stale = useStale();
  const create = useMutation({
    ...createAiKeyMutation(),
    // The response contains the secret: it leaves memory when the dialog closes.
    gcTime: 0,
    onSuccess: async (created) => {
      setMade(created);
      await stale('listAiKeys');
    },
  });
  if (made) return <SecretShown created={made} onDone={onClose} />;
  return (
    <FormDialog open onClose={create.isPending ? undefined : onClose} title="Create AI key">
      <KeyForm
        label="Create AI key"
        submitLabel="Create key"
        pendingLabel="Creating…"
        values={values}
        isNew
        problem={problemOf(create.error, 'Couldn’t create the key')}
        pending={create.isPending}
        onEdit={(change) => setValues({ ...values, ...change })}
        onSubmit={() => create.mutate({ ...inTeam(teamSlug), body: toCreate(values) })}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

export function EditKeyDialog({ teamSlug, aiKey, onClose }: Props & { aiKey: AiKey }) {
  // As of when the dialog opened: a change saved elsewhere meanwhile is refused instead of overwritten.
  const [opened] = useState(aiKey);
  const [values, setValues] = useState(() => valuesOf(opened));
  const stale = useStale();
  const update = useMutation({
    ...updateAiKeyMutation(),
    onSuccess: async () => {
      await stale('listAiKeys');
      onClose();
    },
  });
  return (
    <FormDialog open onClose={update.isPending ? undefined : onClose} title={`Change ${opened.name}`}>
      <KeyForm
        label="Change AI key"
        submitLabel="Save"
        pendingLabel="Saving…"
        values={values}
        isNew={false}
        problem={problemOf(update.error, 'Couldn’t save the key')}
        pending={update.isPending}
        onEdit={(change) => setValues({ ...values, ...change })}
        onSubmit={() =>
          update.mutate({
            headers: { ...inTeam(teamSlug).headers, 'If-Match': opened.etag },
            path: { ai_key_id: opened.id },
            body: toPatch(values),
          })
        }
        onCancel={onClose}
      />
    </FormDialog>
  );
}

const GRACE = [
  { value: '24', label: '24 hours' },
  { value: '1', label: '1 hour' },
  { value: '168', label: '7 days' },
  { value: '0', label: 'Revoke immediately (leaked)' },
];

export function RotateKeyDialog({ teamSlug, aiKey, onClose }: Props & { aiKey: AiKey }) {
  const [grace, setGrace] = useState('24');
  const [made, setMade] = useState<CreatedAiKey | null>(null);
  const stale = useStale();
  const rotate = useMutation({
    ...rotateAiKeyMutation(),
    gcTime: 0,
    onSuccess: async (created) => {
      setMade(created);
      await stale('listAiKeys');
    },
  });
  if (made) return <SecretShown created={made} onDone={onClose} />;
  return (
    <ConfirmDialog
      open
      title={`Rotate ${aiKey.name}?`}
      effects={['A new secret replaces the current one.', 'Limits, models and usage stay with the key.']}
      confirmLabel="Rotate"
      pending={rotate.isPending}
      problem={problemOf(rotate.error, 'Couldn’t rotate the key')}
      onConfirm={() =>
        rotate.mutate({
          ...inTeam(teamSlug),
          path: { ai_key_id: aiKey.id },
          body: { grace_hours: Number(grace) },
        })
      }
      onClose={onClose}
    >
      <SelectInput
        label="Keep the current secret valid for"
        value={grace}
        choices={GRACE}
        onChange={(event) => setGrace(event.target.value)}
      />
    </ConfirmDialog>
  );
}

export function RevokeKeyDialog({ teamSlug, aiKey, onClose }: Props & { aiKey: AiKey }) {
  const stale = useStale();
  const revoke = useMutation({
    ...revokeAiKeyMutation(),
    onSuccess: async () => {
      await stale('listAiKeys');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Revoke ${aiKey.name}?`}
      effects={['Programs that use this key are refused from now on.', 'Its usage stays visible.']}
      confirmLabel="Revoke"
      pending={revoke.isPending}
      problem={problemOf(revoke.error, 'Couldn’t revoke the key')}
      onConfirm={() => revoke.mutate({ ...inTeam(teamSlug), path: { ai_key_id: aiKey.id } })}
      onClose={onClose}
    />
  );
}
