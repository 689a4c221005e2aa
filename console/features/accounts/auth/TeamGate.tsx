import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinkButton } from '../../../ui/controls/Button';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { signOut } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { accountPath, loginPath, teamPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { AuthFrame } from './AuthFrame';
import { Stack, Text } from './authElements';

interface Props {
  team: SessionTeam;
  /** Signs in at the team's provider and returns here. */
  sso: ReactNode;
}

/** Replaces a team's pages when the session doesn't meet the team's sign-in policy, and shows how to meet it. */
export function TeamGate({ team, sso }: Props) {
  const { teams } = useSession();
  const others = teams.filter(({ slug, refused }) => slug !== team.slug && refused === null);
  return (
    <AuthFrame>
      <PublicCard
        title={
          team.refused === 'sso'
            ? `${team.name} requires single sign-on`
            : `${team.name} requires a second factor`
        }
        subtitle={
          team.refused === 'sso'
            ? 'Sign in through the team’s provider. That session covers only this team; sign in again for your other teams.'
            : 'Besides your password, this team requires a passkey or an authenticator app.'
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
  const problem = problemOf(leave.error, 'Couldn’t sign out');
  if (!user?.second_factor)
    return (
      <LinkButton href={accountPath('security')} variant="contained" fullWidth>
        Set up a second factor
      </LinkButton>
    );
  return (
    <>
      <Text>You signed in without your second factor. Sign in again with it to open the team.</Text>
      {problem && <ErrorNotice problem={problem} />}
      <PendingButton
        variant="contained"
        fullWidth
        pending={leave.isPending || leave.isSuccess}
        onClick={() => leave.mutate()}
      >
        Sign in again
      </PendingButton>
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
