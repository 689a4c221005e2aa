import { useQueries } from '@tanstack/react-query';
import { checkAppCvmsIsAllowed, checkCvmIsAllowed } from '../../generated/api/sdk.gen';
import type { Cvm, IsAllowed } from '../../generated/api/types.gen';
import { isGuarded, outlookOf, type BootDoubt, type BootOutlook } from '../lib/kms/bootOutlook';
import { adminCvmPath, cvmPath, isStaffAddress } from '../lib/paths';
import { inTeam } from './client';
import { problemOf } from './problem';

export type CheckedCvm = Pick<Cvm, 'id' | 'name' | 'app_id' | 'vm_uuid' | 'kms_info'>;

export interface BootCheck {
  /** A contract decides about one of them. */
  guarded: boolean;
  /** Contracts are still being read. */
  checking: boolean;
  doubts: BootDoubt[];
}

/** One CVM, or all of an app. */
type Subject = { cvm: string } | { app: string };

/** Apps whose contracts are read for one dialog. */
const MAX_APPS = 20;

const signalled = (teamSlug: string, signal: AbortSignal) =>
  ({ ...inTeam(teamSlug), body: {}, signal, throwOnError: true }) as const;

/**
 * Reads whether CVMs that are about to boot would get their keys: once, when their dialog opens, and only where a contract
 * decides about that. @param cvms empty if nothing boots
 */
export function useBootCheck(teamSlug: string, cvms: readonly CheckedCvm[]): BootCheck {
  const guarded = cvms.filter(isGuarded);
  const apps = [...new Set(guarded.flatMap(({ app_id }) => app_id ?? []))];
  const [only] = guarded.length === 1 ? guarded : [];
  const subjects: readonly Subject[] = only
    ? [{ cvm: only.id }]
    : apps.slice(0, MAX_APPS).map((app) => ({ app }));
  const answers = useQueries({
    queries: subjects.map((subject) => ({
      queryKey: ['bootCheck', teamSlug, subject],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<IsAllowed[]> => {
        const options = signalled(teamSlug, signal);
        if ('cvm' in subject)
          return [(await checkCvmIsAllowed({ ...options, path: { cvm_id: subject.cvm } })).data];
        return (await checkAppCvmsIsAllowed({ ...options, path: { app_id: subject.app } })).data.results;
      },
      // What a contract allowed when an earlier dialog was open says nothing about now.
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    })),
  });
  const answerOf = (cvm: CheckedCvm) => answers[only ? 0 : apps.indexOf(cvm.app_id ?? '')];
  return {
    guarded: guarded.length > 0,
    checking: answers.some(({ isPending }) => isPending),
    doubts: guarded.flatMap((cvm) => {
      const outlook = outlookFor(cvm, answerOf(cvm), only !== undefined);
      if (outlook === null || outlook.state === 'allowed') return [];
      return [{ id: cvm.id, name: cvm.name, href: kmsTab(teamSlug, cvm), outlook }];
    }),
  };
}

function kmsTab(teamSlug: string, { vm_uuid }: CheckedCvm): string | null {
  if (vm_uuid === null) return null;
  return isStaffAddress(location.pathname) ? adminCvmPath(vm_uuid, 'kms') : cvmPath(teamSlug, vm_uuid, 'kms');
}

/** Null while the contract is being read. */
function outlookFor(
  { id }: CheckedCvm,
  answer: { data: IsAllowed[] | undefined; error: unknown } | undefined,
  isOnly: boolean,
): BootOutlook | null {
  if (!answer)
    return { state: 'unknown', reason: `Only the contracts of ${MAX_APPS} apps are read at a time.` };
  if (answer.error) return { state: 'unknown', reason: problemOf(answer.error, '')?.message ?? '' };
  if (!answer.data) return null;
  const verdict = isOnly ? answer.data[0] : answer.data.find(({ cvm_id }) => cvm_id === id);
  return verdict ? outlookOf(verdict) : { state: 'unknown', reason: 'The CVM is new or gone.' };
}
