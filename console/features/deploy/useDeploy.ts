import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { CommitCvm } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { newIdempotencyKey } from '../../api/client';
import { useSession } from '../../api/session';
import type { EnvPair } from '../../lib/envRules';
import { cvmPath, teamPath } from '../../lib/paths';
import type { Step } from '../../ui/feedback/ProgressSteps';
import { useToast } from '../../ui/feedback/toasts';
import { type Attempt, newAttempt, runDeploy } from './deploy';
import { type DeployForm, envOf, toProvision } from './form';
import { deployApi } from './queries';
import { DeployRefused } from './sealing';

/** Answers after which the same attempt can only fail again: the reservation or the name is no longer good. */
const ATTEMPT_IS_OVER: ReadonlySet<string | undefined> = new Set(['ERR-00-028', 'ERR-03-007', 'ERR-00-011']);

/** Runs the deployment and leads to the CVM, or leaves a toast when the person has gone elsewhere meanwhile. */
export function useDeploy(teamSlug: string, form: DeployForm, onDone: () => void) {
  const [steps, setSteps] = useState<Step[] | null>(null);
  const attempt = useRef<{ secrets: DeployForm['secrets']; attempt: Attempt }>(null);
  const here = useRef(true);
  const navigate = useNavigate();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { user } = useSession();
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  /** A second copy in the vault, for who has one. The deployment does not wait for it and does not fail with it. */
  const keep = async (user_id: string, app_id: string, env: readonly EnvPair[], encrypted_env: string) => {
    const { keepCopy } = await import('../../api/vaultCopies');
    const kept = await keepCopy(user_id, teamSlug, app_id, env, encrypted_env).catch(() => 'failed' as const);
    if (kept === 'failed' || kept === 'other_key')
      toast({
        tone: 'error',
        title: 'The secrets are not in your vault',
        message:
          'The CVM has them all the same. Open the vault in your account settings, then send them again.',
      });
  };

  const mutation = useMutation({
    mutationFn: async (): Promise<CommitCvm> => {
      // A changed form is another deployment; the same one goes on where it stopped.
      const body = toProvision(form);
      const same =
        attempt.current?.secrets === form.secrets &&
        JSON.stringify(attempt.current.attempt.body) === JSON.stringify(body);
      if (!same) attempt.current = { secrets: form.secrets, attempt: newAttempt(body, newIdempotencyKey) };
      const env = envOf(form.secrets);
      const now = attempt.current!.attempt;
      const cvm = await runDeploy(deployApi(teamSlug), now, env, setSteps);
      const { app_id, encrypted_env } = now.create ?? {};
      if (app_id && encrypted_env && user && env.length > 0) void keep(user.id, app_id, env, encrypted_env);
      return cvm;
    },
    onError: (error) => {
      const over = (isApiError(error) && ATTEMPT_IS_OVER.has(error.code)) || error instanceof DeployRefused;
      if (over) attempt.current = null;
      if (!here.current)
        toast({
          tone: 'error',
          title: `${form.name} was not deployed`,
          message: 'What you typed is kept on the deploy page.',
        });
    },
    onSuccess: (cvm) => {
      attempt.current = null;
      void queryClient.invalidateQueries({ queryKey: ['deploy-preflight'] });
      const href = cvm.vm_uuid === null ? teamPath(teamSlug) : cvmPath(teamSlug, cvm.vm_uuid);
      // Emptied after leaving, so that no empty form flashes by.
      if (here.current) return navigate({ href, replace: true }).then(onDone);
      onDone();
      toast({ tone: 'progress', title: `${cvm.name} is being created`, link: { label: 'Watch it', href } });
    },
  });
  return { ...mutation, steps };
}
