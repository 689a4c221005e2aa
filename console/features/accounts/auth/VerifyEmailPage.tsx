import { LinkButton } from '../../../ui/controls/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EmailVerification } from '../../../../generated/api/types.gen';
import { hasCode } from '../../../api/apiError';
import { verifyEmail } from '../../../api/authSteps';
import { refreshSession, useSession } from '../../../api/session';
import { loginPath } from '../../../lib/paths';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { AuthFrame } from './AuthFrame';
import { NewPassword } from './NewPassword';
import { Email, Stack } from './authElements';
import { keepNext, keptNext } from './keptNext';
import { LinkActionCard } from './LinkActionCard';
import { ResendVerification } from './ResendVerification';

/** Target of mailed confirmation links. */
export function VerifyEmailPage({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: verifyEmail,
    meta: { signsIn: true },
    onSuccess: () => refreshSession(queryClient),
  });

  if (verify.isSuccess)
    return (
      <AuthFrame>
        <Outcome verification={verify.data} />
      </AuthFrame>
    );
  if (hasCode(verify.error, 'ERR-00-035'))
    return (
      <AuthFrame>
        <Invalid />
      </AuthFrame>
    );
  const isDeclining = verify.isPending && verify.variables.decline === true;
  const isConfirming = verify.isPending && !isDeclining;
  return (
    <AuthFrame>
      <LinkActionCard
        title="Confirm your email address"
        subtitle="Confirm if you created this account or asked to change its address."
        label="Confirm"
        busyLabel="Confirming…"
        busy={isConfirming}
        onAct={() => {
          if (!verify.isPending) verify.mutate({ token });
        }}
        error={verify.error}
        failed="Couldn’t confirm your address"
      >
        <PendingButton
          variant="text"
          fullWidth
          pending={isDeclining}
          disabled={isConfirming}
          onClick={() => verify.mutate({ token, decline: true })}
        >
          This wasn’t me
        </PendingButton>
      </LinkActionCard>
    </AuthFrame>
  );
}

function Outcome({ verification }: { verification: EmailVerification }) {
  const { outcome, email, password_token } = verification;
  if (outcome !== 'new_password') return <Done outcome={outcome} email={email} />;
  if (password_token === null) return <Invalid />;
  return (
    <NewPassword
      token={password_token}
      email={email}
      title="Choose a new password"
      subtitle={
        <>
          <Email>{email}</Email> is confirmed. Because the account was created in another browser, all its
          sessions were signed out and its password no longer works.
        </>
      }
    />
  );
}

type Final = Exclude<EmailVerification['outcome'], 'new_password'>;

const titles: Record<Final, string> = {
  verified: 'Address confirmed',
  half: 'First address confirmed',
  changed: 'Address changed',
  declined: 'Change canceled',
  disowned: 'Account disabled',
};

const said: Record<Final, (email: string) => ReactNode> = {
  verified: (email) => (
    <>
      <Email>{email}</Email> is confirmed.
    </>
  ),
  half: (email) => (
    <>
      <Email>{email}</Email> is confirmed. The change takes effect once the link sent to the other address is
      confirmed too.
    </>
  ),
  changed: () => 'Both addresses are confirmed. Sign in with the new one from now on.',
  disowned: (email) => (
    <>
      Someone created an account with <Email>{email}</Email>. Its password was removed and its sessions ended.
      To use the account yourself, reset the password.
    </>
  ),
  declined: () =>
    'Your account keeps its current address. If you didn’t request the change, set a new password: someone may know yours.',
};

function Done({ outcome, email }: { outcome: Final; email: string }) {
  return (
    <div role="status" style={{ width: '100%', maxWidth: 400 }}>
      <PublicCard title={titles[outcome]} subtitle={said[outcome](email)}>
        <Continue next={outcome === 'verified' ? keptNext('registration') : undefined} />
      </PublicCard>
    </div>
  );
}

function Invalid() {
  const { user } = useSession();
  const resend = user !== null && !user.email_verified;
  return (
    <PublicCard
      title="This link is no longer valid"
      subtitle={
        user?.email_verified
          ? `It was used, expired or was replaced by a newer one. Your address, ${user.email}, is confirmed.`
          : user
            ? 'It was used, expired or was replaced by a newer one.'
            : 'It was used, expired or was replaced by a newer one. Sign in to check whether your address is confirmed or to request a new link.'
      }
    >
      <Stack>
        {resend && <ResendVerification variant="contained" />}
        <Continue secondary={resend} />
      </Stack>
    </PublicCard>
  );
}

/** @param next address requested before registration */
function Continue({ secondary = false, next }: { secondary?: boolean; next?: string | undefined }) {
  const { user } = useSession();
  return (
    <LinkButton
      href={user ? (next ?? '/') : loginPath(next)}
      fullWidth
      onClick={() => keepNext('registration', undefined)}
      {...(secondary ? {} : { variant: 'contained' })}
    >
      {user ? (next === undefined ? 'Go to the console' : 'Continue') : 'Go to sign in'}
    </LinkButton>
  );
}
