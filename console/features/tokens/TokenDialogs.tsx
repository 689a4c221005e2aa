import { useMutation } from '@tanstack/react-query';
import {
  revokeApiTokenMutation,
  updateApiTokenMutation,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { ApiToken } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { RenameDialog } from '../../ui/forms/RenameDialog';

interface Props {
  teamSlug: string;
  token: ApiToken;
  onClose: () => void;
}

export function RenameToken({ teamSlug: slug, token, onClose }: Props) {
  const stale = useStale();
  const rename = useMutation({
    ...updateApiTokenMutation(),
    onSuccess: async () => {
      await stale('listTokens');
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Rename the token"
      name={token.name}
      pending={rename.isPending}
      problem={problemOf(rename.error, 'It was not renamed')}
      onSave={(name) => rename.mutate({ path: { slug, token_id: token.id }, body: { name } })}
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
        'Programs that use it are refused from their next request on.',
        'It cannot be given back; make a new one instead.',
        ...(token.last_used_at === null ? ['It was never used.'] : []),
      ]}
      confirmLabel="Revoke"
      pending={revoke.isPending}
      problem={problemOf(revoke.error, 'It was not revoked')}
      onConfirm={() => revoke.mutate({ path: { slug, token_id: token.id } })}
      onClose={onClose}
    />
  );
}
