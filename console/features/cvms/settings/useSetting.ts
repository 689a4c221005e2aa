import { useMutation } from '@tanstack/react-query';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { ConflictError, isApiError } from '../../../api/apiError';
import { inTeam } from '../../../api/client';
import { useReloadLive } from '../../../api/useReloadLive';
import { problemOf } from '../../../api/problem';
import { sendIfUnchanged, type IfMatch } from '../../../api/versions';
import { useCvm, useCvmAddress } from '../address';

interface Options<V> {
  /** Makes the request conditional on the version on screen: `form.send`, or `ifUnchanged(cvm, 'listed')`. */
  guard?: Guard;
  /** Sends the request; `options` names team, CVM and version, and makes failures throw. */
  send: (options: SettingRequest, value: V) => Promise<unknown>;
  /** "Couldn’t rename the CVM". */
  failed: string;
  /** Runs before refetching, to leave the page of a deleted CVM. */
  leave?: (value: V) => Promise<unknown>;
  onDone?: (value: V) => void;
  /** Called if another member's change came first and the form shows it: closes the confirmation. */
  onConflict?: () => void;
}

type Guard = <T>(request: (headers: IfMatch | Record<never, never>) => Promise<T>) => Promise<T>;
const unguarded: Guard = (request) => request({});

/** For switches and confirmations: rejected if one of these fields has changed. */
export const ifUnchanged =
  ({ etag }: Pick<CvmDetail, 'etag'>, ...fields: string[]): Guard =>
  (request) =>
    sendIfUnchanged(etag, fields, request);

const requestOf = (teamSlug: string, cvm_id: string, version: IfMatch | Record<never, never>) =>
  ({ headers: { ...inTeam(teamSlug).headers, ...version }, path: { cvm_id }, throwOnError: true }) as const;

/** The team, CVM and version for a request that changes a setting. */
export type SettingRequest = ReturnType<typeof requestOf>;

/** Refetches live queries of the page's team. */
export const useReload = (): (() => Promise<void>) => useReloadLive(useCvmAddress().teamSlug);

/** Saves one setting of the page's CVM, then refetches live queries. */
export function useSetting<V = void>({
  guard = unguarded,
  send,
  failed,
  leave,
  onDone,
  onConflict,
}: Options<V>) {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const reload = useReload();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (value: V) => guard((version) => send(requestOf(teamSlug, cvm.id, version), value)),
    onSuccess: async (_, value) => {
      await leave?.(value);
      await reload();
      onDone?.(value);
    },
    // The data on screen is stale.
    onError: async (failure) => {
      if (failure instanceof ConflictError) onConflict?.();
      else if (isApiError(failure, 412)) await reload();
    },
  });
  return { save: mutate, pending: isPending, problem: problemOf(error, failed), reset };
}
