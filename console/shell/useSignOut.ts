import { useMutation } from '@tanstack/react-query';
import { deleteSessionMutation } from '../../generated/api/@tanstack/react-query.gen';
import { problemOf } from '../api/problem';
import { loginPath } from '../lib/paths';
import { useToast } from '../ui/feedback/toasts';

/** Ends the session and reloads the page, so that none of the user's data stays in memory. */
export function useSignOut(): () => void {
  const toast = useToast();
  const { mutate } = useMutation({
    ...deleteSessionMutation(),
    onSuccess: () => location.assign(loginPath()),
    onError: (error) => {
      const problem = problemOf(error, 'Couldn’t sign out');
      if (problem) toast({ tone: 'error', title: problem.title, message: problem.message });
    },
  });
  return () => mutate({});
}
