import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { deleteSessionMutation } from '../../../generated/api/@tanstack/react-query.gen';
import { problemOf } from '../../api/problem';
import { forgetSession } from '../../api/session';
import { loginPath } from '../../lib/paths';
import { useToast } from '../../ui/feedback/toasts';

/** Ends the session on the server, then forgets everything of it here. */
export function useSignOut(): () => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate } = useMutation({
    ...deleteSessionMutation(),
    onSuccess: async () => {
      // First away from the page, whose queries would otherwise ask again as nobody.
      await queryClient.cancelQueries();
      forgetSession(queryClient);
      await navigate({ href: loginPath() });
      await router.invalidate();
    },
    onError: (error) => {
      const problem = problemOf(error, 'You are still signed in');
      if (problem) toast({ tone: 'error', title: problem.title, message: problem.message });
    },
  });
  return () => mutate({});
}
