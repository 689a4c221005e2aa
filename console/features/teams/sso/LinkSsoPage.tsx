import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelSsoLink, confirmSsoLink } from '../../../../generated/api/sdk.gen';
import { getSsoLinkOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import type { SsoLinkRequest } from '../../../../generated/api/types.gen';
import { signOut } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { refreshSession } from '../../../api/session';
import { linkSsoPath, loginPath, teamPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCardSkeleton } from '../../../ui/feedback/Skeletons';
import { PublicCard, PublicFrame } from '../../../ui/layout/PublicFrame';
import { LinkActions, LinkText } from './linkParts';

/** Asks an existing user to let a team's provider sign them in. Nothing is linked without a click here. */
export function LinkSsoPage() {
  const { data, error, refetch, isPending } = useQuery({
    ...getSsoLinkOptions(),
    staleTime: 0,
    retry: false,
  });
  return (
    <PublicFrame homeHref="/">
      {isPending ? (
        <PublicCardSkeleton lines={5} />
      ) : error ? (
        <PublicCard title="Link your account">
          <ErrorNotice problem={problemOf(error, 'Couldn’t load the link', () => void refetch())!} />
        </PublicCard>
      ) : data.own_sign_in && data.signed_in_as === data.email ? (
        <Confirm request={data} />
      ) : (
        <SwitchToOwn request={data} />
      )}
    </PublicFrame>
  );
}

function Confirm({ request }: { request: SsoLinkRequest }) {
  const { team_name, domain, email } = request;
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: async () => (await confirmSsoLink({ throwOnError: true })).data,
    onSuccess: async ({ team_slug }) => {
      await refreshSession(queryClient);
      location.assign(teamPath(team_slug));
    },
  });
  const cancel = useMutation({
    mutationFn: () => cancelSsoLink({ throwOnError: true }),
    onSuccess: () => location.assign('/'),
  });
  const problem =
    problemOf(confirm.error, 'Couldn’t link your account') ?? problemOf(cancel.error, 'Couldn’t cancel');
  const isConfirming = confirm.isPending || confirm.isSuccess;
  const isCanceling = cancel.isPending || cancel.isSuccess;
  return (
    <PublicCard title="Link your account" subtitle={`${team_name} single sign-on`}>
      <LinkActions>
        <LinkText>
          The sign-in provider for {domain} identified you as <strong>{email}</strong>. If you link it, its
          operators can sign in as you to {team_name}. They can’t reach your other teams or your account
          settings, and you can unlink it at any time.
        </LinkText>
        {problem && <ErrorNotice problem={problem} />}
        <PendingButton
          variant="contained"
          fullWidth
          pending={isConfirming}
          disabled={isCanceling}
          onClick={() => confirm.mutate()}
        >
          Link and open {team_name}
        </PendingButton>
        <PendingButton
          fullWidth
          pending={isCanceling}
          disabled={isConfirming}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </PendingButton>
      </LinkActions>
    </PublicCard>
  );
}

/** Shown when signed in with another account or through single sign-on; neither can link this account. */
function SwitchToOwn({ request }: { request: SsoLinkRequest }) {
  const { team_name, email, signed_in_as } = request;
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => location.assign(loginPath(linkSsoPath)),
  });
  const problem = problemOf(leave.error, 'Couldn’t sign out');
  return (
    <PublicCard title="Link your account" subtitle={`${team_name} single sign-on`}>
      <LinkActions>
        <LinkText>
          {signed_in_as === email
            ? 'You are signed in through single sign-on.'
            : `You are signed in as ${signed_in_as ?? 'another account'}.`}{' '}
          Sign in as <strong>{email}</strong> with its password or passkey to link it.
        </LinkText>
        {problem && <ErrorNotice problem={problem} />}
        <PendingButton
          variant="contained"
          fullWidth
          pending={leave.isPending || leave.isSuccess}
          onClick={() => leave.mutate()}
        >
          Switch account
        </PendingButton>
      </LinkActions>
    </PublicCard>
  );
}
