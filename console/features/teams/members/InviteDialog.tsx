import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createInvitationMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { TeamRole } from '../../../../generated/api/types.gen';
import { recordFeature } from '../../../analytics';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { useSession, useTeam } from '../../../api/session';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import { EMAIL_MAX, emailFault } from '../../../lib/accounts/credentials';
import { roleName, roleSentence, rolesGivenBy } from '../../../api/roles';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { RadioCards } from '../../../ui/forms/RadioCards';
import { TextInput } from '../../../ui/forms/TextInput';

export function InviteDialog({ teamSlug, onClose }: { teamSlug: string; onClose: () => void }) {
  const team = useTeam(teamSlug);
  const { features } = useSession();
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={`Invite to ${team.name}`}
      intro={`The invitation link expires in 7 days. New users can create an account with it.${
        features.mail
          ? ''
          : ' This server doesn’t send email: an administrator can find the link in the outbox.'
      }`}
    >
      <InviteForm teamSlug={teamSlug} mine={team.role} onClose={onClose} />
    </FormDialog>
  );
}

function InviteForm({ teamSlug, mine, onClose }: { teamSlug: string; mine: TeamRole; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<TeamRole>('member');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const toast = useToast();
  const invite = useMutation({
    ...createInvitationMutation(),
    onSuccess: async (made) => {
      recordFeature('member_invited');
      toast({
        tone: 'ok',
        title: `Invited ${made.email}`,
        message: `Role: ${roleName(made.role).toLowerCase()}.`,
      });
      await stale('listInvitations');
      onClose();
    },
  });
  const problem = problemOf(invite.error, 'Couldn’t send the invitation');
  const sent = invite.variables?.body.email;
  const known = isApiError(invite.error, 409) && sent === email.trim() ? invite.error.message : undefined;
  const submit = () => {
    setTried(true);
    if (emailFault(email) !== undefined) return;
    const body = { email: email.trim(), role };
    invite.mutate({ path: { slug: teamSlug }, body, headers: idempotent(body) });
  };
  return (
    <FormShell
      aria-label="Invite member"
      error={known === undefined ? problem : null}
      fields={['email', 'role']}
      pending={invite.isPending}
      onSubmit={submit}
      submitLabel="Send invitation"
      pendingLabel="Sending…"
      onCancel={onClose}
    >
      <TextInput
        label="Email address"
        type="email"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={known ?? (tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined)}
      />
      <RadioCards
        label="Role"
        name="role"
        value={role}
        onChange={(value) => setRole(value as TeamRole)}
        cards={rolesGivenBy(mine).map((value) => ({
          value,
          name: roleName(value),
          specs: roleSentence(value),
        }))}
        error={fieldProblem(problem, 'role')}
      />
    </FormShell>
  );
}
