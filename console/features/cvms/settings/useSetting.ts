import { useMutation, useQueryClient } from '@tanstack/react-query';
import { inTeam } from '../../../api/client';
import { isStale, LIVE } from '../../../api/invalidation';
import { problemOf } from '../../../api/problem';
import { useCvm, useCvmAddress } from '../address';

interface Options<V> {
  /** Sends it; `options` names team and CVM and makes failures throw. */
  send: (options: ReturnType<typeof requestOf>, value: V) => Promise<unknown>;
  /** "It was not renamed". */
  failed: string;
  /** Before anything is asked again: leaves a page whose CVM is gone. */
  leave?: (value: V) => Promise<unknown>;
  onDone?: (value: V) => void;
}

const requestOf = (teamSlug: string, cvm_id: string) =>
  ({ ...inTeam(teamSlug), path: { cvm_id }, throwOnError: true }) as const;

/** Saving one setting of the page's CVM; afterwards everything live is asked again. */
export function useSetting<V = void>({ send, failed, leave, onDone }: Options<V>) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: (value: V) => send(requestOf(teamSlug, cvm.id), value),
    onSuccess: async (_, value) => {
      await leave?.(value);
      await queryClient.invalidateQueries({
        predicate: (query) => isStale(query.queryKey, teamSlug, [LIVE]),
      });
      onDone?.(value);
    },
  });
  /** What is on its way, so that a switch shows it at once. */
  const saving = isPending ? variables : undefined;
  return { save: mutate, saving, pending: isPending, problem: problemOf(error, failed), reset };
}
