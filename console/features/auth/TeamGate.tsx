import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import Button from '@mui/material/Button';
import type { SessionTeam } from '../../../generated/api/types.gen';
import { signOut } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { accountPath, loginPath, teamPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { Stack, Text } from './parts';

interface Props {
  team: SessionTeam;
  /** Signs in at the team's provider and comes back here. */
  sso: ReactNode;
}

/** In place of a team's pages, when the team asks more of a session than this one has. Says how to get in. */
export function TeamGate({ team, sso }: Props) {
  const { teams } = useSession();
  const others = teams.filter(({ slug, refused }) => slug !== team.slug && refused === null);
  return (
    <AuthFrame>
      <PublicCard
        title={
          team.refused === 'sso'
            ? `${team.name} asks for single sign-on`
            : `${team.name} asks for a second factor`
        }
        subtitle={
          team.refused === 'sso'
            ? 'Its pages open after you signed in through the team’s provider. Your account and your other teams stay as they are.'
            : 'A rule of the team: besides your password, its pages need a passkey or a code of an authenticator app.'
        }
        {...(others.length > 0 ? { after: <Others teams={others} /> } : {})}
      >
        <Stack>{team.refused === 'sso' ? sso : <SecondFactor />}</Stack>
      </PublicCard>
    </AuthFrame>
  );
}

function SecondFactor() {
  const { user } = useSession();
  const here = location.pathname + location.search;
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => location.assign(loginPath(here)),
  });
  const problem = problemOf(leave.error, 'You are still signed in');
  const busy = leave.isPending || leave.isSuccess;
  if (!user?.second_factor)
    return (
      <LinkButton href={accountPath('security')} variant="contained" color="primary" fullWidth>
        Set up a second factor
      </LinkButton>
    );
  return (
    <>
      <Text>You have one, but signed in without it. Sign in again, and you come back here.</Text>
      {problem && <ErrorNotice problem={problem} />}
      <Button
        variant="contained"
        color="primary"
        fullWidth
        disabled={busy}
        startIcon={busy ? <Spinner /> : undefined}
        onClick={() => leave.mutate()}
      >
        Sign in again
      </Button>
    </>
  );
}

function Others({ teams }: { teams: readonly SessionTeam[] }) {
  return (
    <>
      Your other teams:{' '}
      {teams.slice(0, 10).map(({ slug, name }, i) => (
        <span key={slug}>
          {i > 0 && ', '}
          <TextLink href={teamPath(slug)}>{name}</TextLink>
        </span>
      ))}
    </>
  );
}
