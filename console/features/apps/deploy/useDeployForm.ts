import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useSession } from '../../../api/session';
import { dropDraft, loadDraft, saveDraft } from './draft';
import { type DeployForm, emptyForm } from './form';

const keyOf = (team_slug: string) => ['deploy-form', team_slug] as const;

/**
 * The team's deploy form, shared by the page and the aside. It lives in the query cache, which is cleared at
 * sign-out, so typed values and secrets never reach the next user.
 */
export function useDeployForm(
  teamSlug: string,
): [DeployForm, (change: Partial<DeployForm>) => void, { reset: () => void }] {
  const queryClient = useQueryClient();
  const person = useSession().user?.id ?? '';
  const draftKey = `${person}:${teamSlug}`;
  const { data: form = emptyForm } = useQuery({
    queryKey: keyOf(teamSlug),
    queryFn: () => currentForm(queryClient, teamSlug) ?? emptyForm,
    initialData: () => loadDraft(draftKey) ?? emptyForm,
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  });
  const change = useCallback(
    (next: Partial<DeployForm>) =>
      queryClient.setQueryData<DeployForm>(keyOf(teamSlug), (before) => ({
        ...(before ?? emptyForm),
        ...next,
      })),
    [queryClient, teamSlug],
  );
  const reset = useCallback(() => {
    dropDraft(draftKey);
    queryClient.setQueryData<DeployForm>(keyOf(teamSlug), emptyForm);
  }, [queryClient, teamSlug, draftKey]);
  useEffect(() => {
    if (form === emptyForm) return;
    const timer = setTimeout(() => saveDraft(draftKey, form), 300);
    // Saves immediately, because a reload doesn't wait for timers.
    const now = () => saveDraft(draftKey, form);
    addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', now);
      // The page was left before the timer fired, unless the form has since been changed, sent or cleared.
      if (currentForm(queryClient, teamSlug) === form) now();
    };
  }, [queryClient, teamSlug, draftKey, form]);
  return [form, change, { reset }];
}

/** Returns the current form, for code that runs after an await. */
const currentForm = (queryClient: QueryClient, teamSlug: string): DeployForm | undefined =>
  queryClient.getQueryData<DeployForm>(keyOf(teamSlug));
