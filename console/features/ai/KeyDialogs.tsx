import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createAiKeyMutation,
  revokeAiKeyMutation,
  rotateAiKeyMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import { updateAiKey } from '../../../generated/api/sdk.gen';
import type { AiKey, CreatedAiKey } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { useVersionedForm } from '../../api/versions';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { FormConflict } from '../../ui/forms/FormConflict';
import { FormDialog } from '../../ui/forms/FormDialog';
import { GRACE_HOURS, GracePeriod } from '../../ui/forms/GracePeriod';
import { ShownOnce } from '../../ui/forms/ShownOnce';
import { emptyKey, readChanged, toCreate, toPatch, valuesOf, type KeyChange } from './keyForm';
import { KeyForm } from './KeyForm';
import { rotationEffects } from './keyState';

interface Props {
  teamSlug: string;
  onClose: () => void;
}

function SecretShown({ created, onDone }: { created: CreatedAiKey; onDone: () => void }) {
  return (
    <FormDialog open wide title="Copy the key">
      <ShownOnce
        notice={{
          title: 'This key is shown only once.',
          text: 'Store it where your program can read it. If you lose it, rotate or revoke it.',
        }}
        codes={[{ title: created.key.name, code: created.secret }]}
        onDone={onDone}
      />
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
    <FormDialog open onClose={onClose} title="Create AI key">
      <KeyForm
        teamSlug={teamSlug}
        label="Create AI key"
        submitLabel="Create key"
        pendingLabel="Creating…"
        values={values}
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
  const stale = useStale();
  const form = useVersionedForm<KeyChange>(
    { values: valuesOf(aiKey), etag: aiKey.etag },
    { read: readChanged, refresh: () => stale('listAiKeys') },
  );
  const update = useMutation({
    mutationFn: () =>
      form.send((version) =>
        updateAiKey({
          headers: { ...inTeam(teamSlug).headers, ...version },
          path: { ai_key_id: aiKey.id },
          body: toPatch(form.values, form.base.values),
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await stale('listAiKeys');
      onClose();
    },
  });
  const title = `Change ${aiKey.name}`;
  if (form.conflict)
    return (
      <FormDialog open wide onClose={onClose} title={title}>
        <FormConflict form={form} labels={LABELS} />
      </FormDialog>
    );
  return (
    <FormDialog open onClose={onClose} title={title}>
      <KeyForm
        teamSlug={teamSlug}
        label="Change AI key"
        submitLabel="Save"
        pendingLabel="Saving…"
        values={form.values}
        problem={problemOf(update.error, 'Couldn’t save the key')}
        pending={update.isPending}
        onEdit={form.edit}
        onSubmit={() => update.mutate()}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

const LABELS = {
  name: 'Name',
  models: 'Models',
  requests_per_minute: 'Requests per minute',
  tokens_per_minute: 'Tokens per minute',
  budget: 'Budget in US dollars',
  budget_period: 'Budget per',
};

export function RotateKeyDialog({ teamSlug, aiKey, onClose }: Props & { aiKey: AiKey }) {
  const [grace, setGrace] = useState<number>(GRACE_HOURS);
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
      effects={rotationEffects(aiKey)}
      confirmLabel="Rotate"
      pending={rotate.isPending}
      problem={problemOf(rotate.error, 'Couldn’t rotate the key')}
      onConfirm={() =>
        rotate.mutate({
          ...inTeam(teamSlug),
          path: { ai_key_id: aiKey.id },
          body: { grace_hours: grace },
        })
      }
      onClose={onClose}
    >
      <GracePeriod label="Keep the current secret valid for" hours={grace} onChange={setGrace} />
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
      effects={['Programs using it lose access with their next request.', 'Its usage stays visible.']}
      confirmLabel="Revoke"
      pending={revoke.isPending}
      problem={problemOf(revoke.error, 'Couldn’t revoke the key')}
      onConfirm={() => revoke.mutate({ ...inTeam(teamSlug), path: { ai_key_id: aiKey.id } })}
      onClose={onClose}
    />
  );
}
