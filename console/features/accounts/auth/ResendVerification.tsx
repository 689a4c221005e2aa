import { useMutation } from '@tanstack/react-query';
import { resendVerification } from '../../../api/authSteps';
import { useSession } from '../../../api/session';
import { useProblem } from '../../../api/useProblem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { useToast } from '../../../ui/feedback/toasts';

/** Sends the confirmation link again. */
export function ResendVerification({ variant }: { variant?: 'contained' | 'outlined' }) {
  const { user, features } = useSession();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: resendVerification,
    onSuccess: () =>
      toast({
        tone: 'ok',
        title: features.mail ? 'Link sent' : 'New link is in the outbox',
        message: features.mail
          ? `Check the mailbox of ${user?.email ?? 'your address'}. Earlier links no longer work.`
          : 'This server doesn’t send email. An administrator can find the link in the admin area.',
      }),
    onError: (error) => toast({ tone: 'error', title: 'Couldn’t send the link', message: error.message }),
  });
  const { waitSeconds } = useProblem(resend.error, 'Couldn’t send the link');
  return (
    <PendingButton
      {...(variant === 'contained' ? { variant, fullWidth: true } : { size: 'small' })}
      pending={resend.isPending}
      disabled={waitSeconds !== undefined}
      onClick={() => resend.mutate()}
    >
      {waitSeconds === undefined ? 'Resend link' : `Resend in ${waitSeconds} s`}
    </PendingButton>
  );
}
