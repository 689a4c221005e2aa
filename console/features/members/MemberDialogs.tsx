import { useMutation } from '@tanstack/react-query';
import { deleteMemberMutation, updateMemberMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Member, TeamRole } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { roleName, roleSentence } from '../../api/roles';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';

interface Props {
  teamSlug: string;
  member: Member;
  onClose: () => void;
}

const article = (word: string) => (/^[aeiou]/i.test(word) ? 'an' : 'a');

export function ChangeRole({ teamSlug: slug, member, to, onClose }: Props & { to: TeamRole }) {
  const stale = useStale();
  const change = useMutation({
    ...updateMemberMutation(),
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
        'It counts from their next request on, for their tokens too. They are told by e-mail.',
        ...(member.via_sso ? ['Their role no longer follows the team’s sign-in provider.'] : []),
        ...(to === 'owner' ? ['An owner can remove you, and cannot be removed by admins.'] : []),
      ]}
      confirmLabel={`Make ${word}`}
      pending={change.isPending}
      problem={problemOf(change.error, 'The role was not changed')}
      onConfirm={() => change.mutate({ path: { slug, user_id: member.id }, body: { role: to } })}
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
        'Their next request is refused, and what they have open closes within seconds.',
        'Their API tokens of this team end.',
        'Apps they deployed stay. Their account and their other teams are untouched.',
        ...(member.via_sso
          ? [
              'They come by single sign-on: take them out at the provider as well, or they are back at their next sign-in.',
            ]
          : []),
      ]}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'They were not removed')}
      onConfirm={() => remove.mutate({ path: { slug, user_id: member.id } })}
      onClose={onClose}
    >
      {member.email}
    </ConfirmDialog>
  );
}
