import { useMutation } from '@tanstack/react-query';
import { deleteMemberMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateMember } from '../../../../generated/api/sdk.gen';
import type { Member, TeamRole } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { sendIfUnchanged } from '../../../api/versions';
import { roleName, roleSentence } from '../../../api/roles';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';

interface Props {
  teamSlug: string;
  member: Member;
  onClose: () => void;
}

const article = (word: string) => (/^[aeiou]/i.test(word) ? 'an' : 'a');

export function ChangeRole({ teamSlug: slug, member, to, onClose }: Props & { to: TeamRole }) {
  const { features } = useSession();
  const stale = useStale();
  const change = useMutation({
    mutationFn: () =>
      sendIfUnchanged(member.etag, ['role'], (headers) =>
        updateMember({
          headers,
          path: { slug, user_id: member.id },
          body: { role: to },
          throwOnError: true,
        }),
      ),
    onError: () => stale('listMembers'),
    onSuccess: async () => {
      await stale('listMembers');
      onClose();
    },
  });
  const word = roleName(to).toLowerCase();
  return (
    <ConfirmDialog
      open
      danger={to === 'owner'}
      title={`Make ${member.username} ${article(word)} ${word}?`}
      effects={[
        roleSentence(to),
        `Takes effect with their next request, including for API tokens.${features.mail ? ' They are notified by email.' : ''}`,
        ...(member.via_sso ? ['The team’s sign-in provider no longer manages their role.'] : []),
        ...(to === 'owner' ? ['An owner can remove you. Admins can’t remove an owner.'] : []),
      ]}
      confirmLabel={`Make ${word}`}
      pending={change.isPending}
      problem={problemOf(change.error, 'Couldn’t change the role')}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

export function RemoveMember({ teamSlug: slug, member, onClose }: Props) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteMemberMutation(),
    onSuccess: async () => {
      await stale('listMembers', 'listTokens');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Remove ${member.username} from the team?`}
      effects={[
        'Removal takes effect within seconds, including on pages they have open.',
        'Their API tokens for this team are revoked.',
        'Apps they deployed stay. Their account and other teams aren’t affected.',
        ...(member.via_sso
          ? [
              'They sign in with single sign-on: remove them from the provider too, or their next sign-in adds them again.',
            ]
          : []),
      ]}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the member')}
      onConfirm={() => remove.mutate({ path: { slug, user_id: member.id } })}
      onClose={onClose}
    >
      {member.email}
    </ConfirmDialog>
  );
}
