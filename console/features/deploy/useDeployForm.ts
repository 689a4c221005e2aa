import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useSession } from '../../api/session';
import { dropDraft, loadDraft, saveDraft } from './draft';
import { type DeployForm, emptyForm } from './form';

const keyOf = (team_slug: string) => ['deploy-form', team_slug] as const;

/**
 * The form of a team, shared by the page and the shell's aside. It lives in the query cache, because that is emptied
 * when the person signs out: what was typed (secrets too) must not wait there for the next one.
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
    // A reload does not wait for timers.
    const now = () => saveDraft(draftKey, form);
    addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', now);
    };
  }, [draftKey, form]);
  return [form, change, { reset }];
}

/** The form as it stands at this moment, for what runs after an await. */
export const currentForm = (queryClient: QueryClient, teamSlug: string): DeployForm | undefined =>
  queryClient.getQueryData<DeployForm>(keyOf(teamSlug));
