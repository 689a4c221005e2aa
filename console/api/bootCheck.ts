import { useQueries } from '@tanstack/react-query';
import { checkAppCvmsIsAllowed, checkCvmIsAllowed } from '../../generated/api/sdk.gen';
import type { Cvm, IsAllowed } from '../../generated/api/types.gen';
import {
  bootQuestions,
  decisionOf,
  isGuarded,
  MAX_APPS,
  type BootDecision,
  type BootRisk,
} from '../lib/kms/bootDecision';
import { adminCvmPath, cvmPath, isStaffAddress } from '../lib/paths';
import { inTeam } from './client';
import { problemOf } from './problem';

export type CheckedCvm = Pick<Cvm, 'id' | 'name' | 'app_id' | 'vm_uuid' | 'kms_info'>;

export interface BootCheck {
  /** Whether a contract decides about one of them. */
  guarded: boolean;
  /** Whether contracts are still being read. */
  checking: boolean;
  risks: BootRisk[];
}

const signalled = (teamSlug: string, signal: AbortSignal) =>
  ({ ...inTeam(teamSlug), body: {}, signal, throwOnError: true }) as const;

/**
 * Checks whether CVMs that are about to boot would get their keys: once, when their dialog opens, and only if a
 * contract decides that. @param cvms empty if nothing boots
 */
export function useBootCheck(teamSlug: string, cvms: readonly CheckedCvm[]): BootCheck {
  const guarded = cvms.filter(isGuarded);
  const questions = bootQuestions(guarded);
  const answers = useQueries({
    queries: questions.map((question) => ({
      queryKey: ['bootCheck', teamSlug, question],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<IsAllowed[]> => {
        const options = signalled(teamSlug, signal);
        if ('cvm' in question)
          return [(await checkCvmIsAllowed({ ...options, path: { cvm_id: question.cvm } })).data];
        return (await checkAppCvmsIsAllowed({ ...options, path: { app_id: question.app } })).data.results;
      },
      // An earlier dialog's result says nothing about the present.
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })),
  });
  const answerTo = ({ id, app_id }: CheckedCvm) =>
    answers[questions.findIndex((one) => ('cvm' in one ? one.cvm === id : one.app === app_id))];
  return {
    guarded: guarded.length > 0,
    checking: answers.some(({ isPending }) => isPending),
    risks: guarded.flatMap((cvm) => {
      const decision = decisionFor(cvm, answerTo(cvm));
      if (decision === null || decision.state === 'allowed') return [];
      return [{ id: cvm.id, name: cvm.name, href: kmsTab(teamSlug, cvm), decision }];
    }),
  };
}

function kmsTab(teamSlug: string, { vm_uuid }: CheckedCvm): string | null {
  if (vm_uuid === null) return null;
  return isStaffAddress(location.pathname) ? adminCvmPath(vm_uuid, 'kms') : cvmPath(teamSlug, vm_uuid, 'kms');
}

/** Null while the contract is being read. */
function decisionFor(
  { id }: CheckedCvm,
  answer: { data: IsAllowed[] | undefined; error: unknown } | undefined,
): BootDecision | null {
  if (!answer)
    return { state: 'unknown', reason: `Only the contracts of ${MAX_APPS} apps are read at a time.` };
  if (answer.error) return { state: 'unknown', reason: problemOf(answer.error, '')?.message ?? '' };
  const verdict = answer.data?.find(({ cvm_id }) => cvm_id === undefined || cvm_id === id);
  if (verdict) return decisionOf(verdict);
  return answer.data ? { state: 'unknown', reason: 'The CVM is new or gone.' } : null;
}
