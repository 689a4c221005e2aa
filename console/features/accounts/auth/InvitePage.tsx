import { LinkButton } from '../../../ui/controls/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationView } from '../../../../generated/api/types.gen';
import { hasCode } from '../../../api/apiError';
import { invitationOptions } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { refreshSession, useSession } from '../../../api/session';
import { invitePath, loginPath, teamPath } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCardSkeleton } from '../../../ui/feedback/Skeletons';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { AuthFrame } from './AuthFrame';
import { Decline } from './Decline';
import { Invitation } from './Invitation';
import { JoinOrDecline } from './JoinOrDecline';
import { Email, Stack, Text } from './authElements';
import { RegisterForm } from './RegisterForm';
import { SwitchAccount } from './SwitchAccount';
import { useGoTo } from './useSignedIn';

/** Target of mailed invitations. Offers joining, sign-in or registration, depending on session and account. */
export function InvitePage({ token }: { token: string }) {
  const [declined, setDeclined] = useState<InvitationView>();
  const { data, error, refetch } = useQuery({
    ...invitationOptions(token),
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <AuthFrame>
      {declined ? (
        <Declined invitation={declined} />
      ) : data ? (
        <Offer token={token} invitation={data} onDeclined={() => setDeclined(data)} />
      ) : error ? (
        hasCode(error, 'ERR-00-035') ? (
          <Invalid said={error.message} />
        ) : (
          <PublicCard title="Invitation">
            <ErrorNotice problem={problemOf(error, 'Couldn’t load the invitation', () => void refetch())!} />
          </PublicCard>
        )
      ) : (
        <PublicCardSkeleton lines={5} />
      )}
    </AuthFrame>
  );
}

interface OfferProps {
  token: string;
  invitation: InvitationView;
  onDeclined: () => void;
}

function Offer({ token, invitation, onDeclined }: OfferProps) {
  const { email, account, signed_in_as, team_name } = invitation;
  const here = invitePath(token);
  const decline = <Decline token={token} onDeclined={onDeclined} />;
  if (signed_in_as?.toLowerCase() === email.toLowerCase())
    return (
      <Invitation invitation={invitation}>
        <JoinOrDecline token={token} teamName={team_name} onDeclined={onDeclined} />
      </Invitation>
    );
  if (signed_in_as !== null)
    return (
      <Invitation invitation={invitation}>
        <Text>
          You’re signed in as <Email>{signed_in_as}</Email>. To join, sign out and continue as{' '}
          <Email>{email}</Email>.
        </Text>
        <SwitchAccount />
        {decline}
      </Invitation>
    );
  if (account)
    return (
      <Invitation invitation={invitation}>
        <Text>
          <Email>{email}</Email> has an account. Sign in to join the team.
        </Text>
        <LinkButton href={loginPath(here)} variant="contained" fullWidth>
          Sign in to join
        </LinkButton>
        {decline}
      </Invitation>
    );
  return (
    <Invitation invitation={invitation}>
      <Registration token={token} invitation={invitation} />
      {decline}
    </Invitation>
  );
}

function Registration({ token, invitation }: Pick<OfferProps, 'token' | 'invitation'>) {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const { features } = useSession();
  if (features.registration_mode === 'off')
    return (
      <Text>
        Registration is closed on this server. Ask an administrator for an account with{' '}
        <Email>{invitation.email}</Email>, then open this invitation again.
      </Text>
    );
  return (
    <Stack>
      <Text>Create an account to join. The invitation has already confirmed your email address.</Text>
      <RegisterForm
        invitation={{ email: invitation.email, token }}
        submitLabel="Create account and join"
        onSignedIn={async () => {
          const { teams } = await refreshSession(queryClient);
          const team = teams.find(({ name, is_default }) => name === invitation.team_name && !is_default);
          await goTo(team && teamPath(team.slug));
        }}
        // The address got an account meanwhile, so the invitation now leads to sign-in.
        onCheckEmail={() => queryClient.invalidateQueries({ queryKey: invitationOptions(token).queryKey })}
      />
    </Stack>
  );
}

function Declined({ invitation: { team_name, inviter } }: { invitation: InvitationView }) {
  return (
    <PublicCard
      title="Invitation declined"
      subtitle={`You declined to join ${team_name}. ${inviter} will be notified. You can close this page.`}
    >
      <TextLink href="/">Go to the home page</TextLink>
    </PublicCard>
  );
}

function Invalid({ said }: { said: string }) {
  const { user } = useSession();
  return (
    <PublicCard title="This invitation is no longer valid" subtitle={said}>
      <Stack>
        <Text>
          If you’ve already joined, the team is in your console. Otherwise, ask the member who invited you to
          send it again.
        </Text>
        <LinkButton href={user ? '/' : loginPath()} variant="contained" fullWidth>
          {user ? 'Go to the console' : 'Go to sign in'}
        </LinkButton>
      </Stack>
    </PublicCard>
  );
}
