import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { resendVerification } from '../../api/authSteps';
import { useSession } from '../../api/session';
import { useProblem } from '../../api/useProblem';
import { Spinner } from '../../ui/controls/Spinner';
import { useToast } from '../../ui/feedback/toasts';

/** Has the confirmation mailed again. */
export function ResendVerification({ variant }: { variant?: 'contained' | 'outlined' }) {
  const { user, features } = useSession();
  const toast = useToast();
  const resend = useMutation({
    mutationFn: resendVerification,
    onSuccess: () =>
      toast({
        tone: 'ok',
        title: features.mail ? 'The link was sent again' : 'A new link waits in the outbox',
        message: features.mail
          ? `Look at the mail of ${user?.email ?? 'your address'}. Earlier links do not work any more.`
          : 'This server sends no mail. Its administrator finds the link in the admin area.',
      }),
    onError: (error) => toast({ tone: 'error', title: 'The link was not sent', message: error.message }),
  });
  const { waitSeconds } = useProblem(resend.error, 'The link was not sent');
  return (
    <Button
      {...(variant === 'contained' ? { variant, color: 'primary', fullWidth: true } : { size: 'small' })}
      disabled={resend.isPending || waitSeconds !== undefined}
      startIcon={resend.isPending ? <Spinner /> : undefined}
      onClick={() => resend.mutate()}
    >
      {waitSeconds === undefined ? 'Send the link again' : `Again in ${waitSeconds} s`}
    </Button>
  );
}
