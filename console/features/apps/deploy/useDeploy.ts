import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { CommitCvm, Provision } from '../../../../generated/api/types.gen';
import { newIdempotencyKey } from '../../../lib/idempotencyKey';
import { useSession } from '../../../api/session';
import type { EnvPair } from '../../../lib/compose/envRules';
import { operationKeys } from '../../../lib/cvms/operationWords';
import type { DeployedApp } from '../../../lib/kms/appAuth';
import { cvmPath, teamPath } from '../../../lib/paths';
import type { Step } from '../../../ui/feedback/ProgressSteps';
import { useToast } from '../../../ui/feedback/toasts';
import { contractOf, forgetContract } from './contract/savedContract';
import { type Attempt, attemptAfter, newAttempt, runDeploy } from './deploy';
import { type DeployForm, envOf, toProvision } from './form';
import { isOfferOver } from './deployProblem';
import { deployApi, refetchOffer } from './queries';
import { useCopyToast } from './vault/useCopyToast';
import { DeployRefused } from './sealing';
import { importWithRetry } from '../../../lib/importWithRetry';

interface Options {
  /** Whether to save a copy of the secrets to the user's vault, if they have one. */
  saveCopy: boolean;
  onDone: () => void;
}

/** A deployment that waits until the user has deployed its contract. */
export interface ContractRequest {
  provision: Provision;
  onDeployed: (app: DeployedApp) => void;
  onStop: () => void;
}

/** Runs the deployment and opens the CVM, or shows a toast if the user has navigated away. */
export function useDeploy(teamSlug: string, form: DeployForm, { saveCopy, onDone }: Options) {
  const [steps, setSteps] = useState<Step[] | null>(null);
  const [contract, setContract] = useState<ContractRequest | null>(null);
  const stop = useRef<() => void>(null);
  const attempt = useRef<{ secrets: DeployForm['secrets']; attempt: Attempt }>(null);
  const here = useRef(true);
  const navigate = useNavigate();
  const toast = useToast();
  const reportCopy = useCopyToast('To save a copy, enter them again on the CVM’s Compose page.');
  const queryClient = useQueryClient();
  const { user } = useSession();
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
      stop.current?.();
    };
  }, []);

  /** Saves a copy of deployed secrets. The deployment neither waits for it nor fails with it. */
  const keep = async (user_id: string, app_id: string, env: readonly EnvPair[], encrypted_env: string) => {
    const { keepCopy } = await importWithRetry(() => import('../../../api/vaultCopies'));
    reportCopy(await keepCopy(user_id, teamSlug, app_id, env, encrypted_env).catch(() => 'failed' as const));
  };

  /** Shows the page's prompt and waits for the user. */
  const deployContract = (provision: Provision) =>
    new Promise<DeployedApp>((resolve, reject) => {
      const onStop = () =>
        reject(
          new DeployRefused(
            'contract_not_deployed',
            'The deployment stopped before the app’s contract was deployed.',
            'Deploy again to continue. If you’ve deployed a contract in the meantime, it is found and used.',
          ),
        );
      stop.current = onStop;
      setContract({ provision, onDeployed: resolve, onStop });
    }).finally(() => {
      stop.current = null;
      setContract(null);
    });

  const mutation = useMutation({
    mutationFn: async (): Promise<CommitCvm> => {
      // A changed form is a new deployment; an unchanged one resumes where it stopped.
      const next = newAttempt(toProvision(form), newIdempotencyKey, form);
      const same =
        attempt.current?.secrets === form.secrets &&
        JSON.stringify(requested(attempt.current.attempt)) === JSON.stringify(requested(next));
      if (!same) attempt.current = { secrets: form.secrets, attempt: next };
      const env = envOf(form.secrets);
      const now = attempt.current!.attempt;
      const cvm = await runDeploy({ ...deployApi(teamSlug), deployContract }, now, env, setSteps);
      const { app_id, encrypted_env } = now.create ?? {};
      if (saveCopy && app_id && encrypted_env && user) void keep(user.id, app_id, env, encrypted_env);
      return cvm;
    },
    onError: (error) => {
      const next = attempt.current && attemptAfter(error, attempt.current.attempt, newIdempotencyKey);
      attempt.current = next && attempt.current && { ...attempt.current, attempt: next };
      if (isOfferOver(error)) void refetchOffer(queryClient, teamSlug);
      if (!here.current)
        toast({
          tone: 'error',
          title: `Couldn’t deploy ${form.name}`,
          message: 'Your entries are saved on the deploy page.',
        });
    },
    onSuccess: (cvm) => {
      const { provision, create } = attempt.current?.attempt ?? {};
      const needed = provision ? contractOf(provision) : null;
      if (needed) forgetContract(needed, create?.app_id);
      attempt.current = null;
      void queryClient.invalidateQueries({ queryKey: ['deploy-preflight'] });
      const href = cvm.vm_uuid === null ? teamPath(teamSlug) : cvmPath(teamSlug, cvm.vm_uuid);
      // Cleared after navigating, so no empty form flashes.
      if (here.current) return navigate({ href, replace: true }).then(onDone);
      onDone();
      toast({
        tone: 'progress',
        title: `Creating ${cvm.name}`,
        operations: operationKeys('deploy', cvm.vm_uuid),
        link: { label: 'View', href },
      });
    },
  });
  return { ...mutation, steps, contract };
}

/** The user's request, without its results. */
const requested = ({ body, deletion }: Attempt) => ({ body, deletion });
