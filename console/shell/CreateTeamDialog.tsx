import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { createWorkspaceMutation } from '../../generated/api/@tanstack/react-query.gen';
import { recordFeature } from '../analytics';
import { problemOf } from '../api/problem';
import { isSlugRefusal } from '../api/refusals';
import { useIdempotencyKey } from '../api/useIdempotencyKey';
import { refreshSession, useSession } from '../api/session';
import { slugify, slugProblem } from '../lib/ids';
import { teamPath } from '../lib/paths';
import { fieldProblem } from '../ui/feedback/problem';
import { FormDialog } from '../ui/forms/FormDialog';
import { FormShell } from '../ui/forms/FormShell';
import { TextInput } from '../ui/forms/TextInput';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Creates a team. Its address is validated while typing. */
export function CreateTeamDialog({ open, onClose }: Props) {
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Create team"
      intro="Each team has its own apps, members and bill. You become the owner."
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
  const problem = problemOf(create.error, 'Couldn’t create the team');
  // Shown at the field until the rejected address is edited.
  const taken =
    isSlugRefusal(create.error) && create.variables?.body.slug === slug ? problem?.message : undefined;
  const nameError = tried && name.trim() === '' ? 'Enter a name.' : fieldProblem(problem, 'name');
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
      aria-label="Create team"
      error={taken === undefined ? problem : null}
      fields={['name', 'slug']}
      pending={create.isPending}
      onSubmit={submit}
      submitLabel="Create team"
      pendingLabel="Creating team…"
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
        help="The first part of this team’s URLs. You can change it later; old links keep working."
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
