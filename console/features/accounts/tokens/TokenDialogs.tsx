import { useMutation } from '@tanstack/react-query';
import { revokeApiTokenMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateApiToken } from '../../../../generated/api/sdk.gen';
import type { ApiToken } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { useVersionedForm } from '../../../api/versions';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { RenameDialog } from '../../../ui/forms/RenameDialog';

interface Props {
  teamSlug: string;
  token: ApiToken;
  onClose: () => void;
}

export function RenameToken({ teamSlug: slug, token, onClose }: Props) {
  const stale = useStale();
  const form = useVersionedForm(
    { values: { name: token.name }, etag: token.etag },
    { refresh: () => stale('listTokens') },
  );
  const rename = useMutation({
    mutationFn: (name: string) =>
      form.send((headers) =>
        updateApiToken({ headers, path: { slug, token_id: token.id }, body: { name }, throwOnError: true }),
      ),
    onSuccess: async () => {
      await stale('listTokens');
      onClose();
    },
  });
  return (
    <RenameDialog
      title={`Rename token ${token.name}`}
      name={form.base.values.name}
      typed={form.values.name}
      onType={(name) => form.edit({ name })}
      conflict={form.conflict && <FormConflict form={form} labels={{ name: 'Name' }} />}
      pending={rename.isPending}
      problem={problemOf(rename.error, 'Couldn’t rename the token')}
      onSave={rename.mutate}
      onClose={onClose}
    />
  );
}

export function RevokeToken({ teamSlug: slug, token, onClose }: Props) {
  const stale = useStale();
  const revoke = useMutation({
    ...revokeApiTokenMutation(),
    onSuccess: async () => {
      await stale('listTokens');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Revoke ${token.name}?`}
      effects={[
        'Programs using it lose access with their next request.',
        'A revoked token can’t be restored. Create a new one instead.',
        ...(token.last_used_at === null ? ['It has never been used.'] : []),
      ]}
      confirmLabel="Revoke"
      pending={revoke.isPending}
      problem={problemOf(revoke.error, 'Couldn’t revoke the token')}
      onConfirm={() => revoke.mutate({ path: { slug, token_id: token.id } })}
      onClose={onClose}
    />
  );
}
