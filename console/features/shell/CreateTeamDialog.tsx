import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { recordFeature } from '../../analytics';
import { problemOf } from '../../api/problem';
import { isSlugRefusal } from '../../api/refusals';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { refreshSession, useSession } from '../../api/session';
import { slugify, slugProblem } from '../../lib/ids';
import { teamPath } from '../../lib/paths';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** A new team with its address, checked as it is typed. */
export function CreateTeamDialog({ open, onClose }: Props) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Make a team"
      intro="A team has its own apps, members and bill. You become its owner."
    >
      <TeamForm onClose={onClose} />
    </FormDialog>
  );
}

function TeamForm({ onClose }: { onClose: () => void }) {
  const { environment } = useSession();
  const reserved = [environment.agent_framework];
  const [name, setName] = useState('');
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const create = useMutation({
    ...createWorkspaceMutation(),
    onSuccess: async (team) => {
      recordFeature('team_created');
      await refreshSession(queryClient);
      await router.invalidate();
      onClose();
      await navigate({ href: teamPath(team.slug) });
    },
  });

  const slug = typedSlug ?? (name.trim() === '' ? '' : slugify(name, reserved));
  const problem = problemOf(create.error, 'The team was not made');
  // At the address, for as long as it is the one that was refused.
  const taken =
    isSlugRefusal(create.error) && create.variables?.body.slug === slug ? problem?.message : undefined;
  const nameError = tried && name.trim() === '' ? 'Give the team a name.' : fieldProblem(problem, 'name');
  const slugError =
    slug === '' ? undefined : (slugProblem(slug, reserved) ?? taken ?? fieldProblem(problem, 'slug'));

  const submit = () => {
    setTried(true);
    if (name.trim() === '' || slugProblem(slug, reserved) !== null) return;
    const body = { name: name.trim(), slug };
    create.mutate({ body, headers: idempotent(body) });
  };

  return (
    <FormShell
      aria-label="Make a team"
      error={taken === undefined ? problem : null}
      pending={create.isPending}
      onSubmit={submit}
      submitLabel="Make team"
      pendingLabel="Making team…"
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={100}
        autoFocus
        autoComplete="organization"
        onChange={(event) => setName(event.target.value)}
        error={nameError}
      />
      <TextInput
        label="Address"
        help="The beginning of every address of the team. It can be changed later; links to the old one go on working."
        prefix={`${new URL(environment.public_url).host}/`}
        mono
        value={slug}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTypedSlug(event.target.value.toLowerCase())}
        error={slugError}
      />
    </FormShell>
  );
}
