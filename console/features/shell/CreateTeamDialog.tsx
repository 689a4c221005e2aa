import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { styled } from '@mui/material/styles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { createWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { recordFeature } from '../../analytics';
import { newIdempotencyKey } from '../../api/client';
import { problemOf } from '../../api/problem';
import { isSlugRefusal } from '../../api/refusals';
import { refreshSession, useSession } from '../../api/session';
import { slugify, slugProblem } from '../../lib/ids';
import { teamPath } from '../../lib/paths';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { color, space, type } from '../../ui/theme';

const Body = styled('div')({ padding: space(5), display: 'grid', gap: space(4) });
const Title = styled('h2')({ ...type.title });
const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  open: boolean;
  onClose: () => void;
}

/** A new team with its address, checked as it is typed. */
export function CreateTeamDialog({ open, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <Body>
        <Title id={id}>Make a team</Title>
        <Text>A team has its own apps, members and bill. You become its owner.</Text>
        <TeamForm onClose={onClose} />
      </Body>
    </Dialog>
  );
}

function TeamForm({ onClose }: { onClose: () => void }) {
  const { environment } = useSession();
  const reserved = [environment.agent_framework];
  const [name, setName] = useState('');
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  // One key for one set of values: pressing again after a lost answer makes no second team.
  const key = useRef<{ values: string; key: string }>(undefined);
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
    const values = JSON.stringify(body);
    if (key.current?.values !== values) key.current = { values, key: newIdempotencyKey() };
    create.mutate({ body, headers: { 'Idempotency-Key': key.current.key } });
  };

  return (
    <FormShell
      aria-label="Make a team"
      error={taken === undefined ? problem : null}
      pending={create.isPending}
      onSubmit={submit}
      submitLabel="Make team"
      pendingLabel="Making team…"
      secondary={
        <Button onClick={onClose} disabled={create.isPending}>
          Cancel
        </Button>
      }
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
