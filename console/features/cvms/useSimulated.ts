import { useQuery } from '@tanstack/react-query';
import type { Cvm } from '../../../generated/api/types.gen';
import { isUp } from './cvmState';
import { compositionOptions } from './queries';

/**
 * Returns whether a running CVM's containers are simulated, because the local teepod has no Docker engine;
 * undefined while loading.
 */
export function useSimulated(
  cvm: Pick<Cvm, 'status' | 'trust' | 'vm_uuid'>,
  teamSlug: string,
): boolean | undefined {
  const isLocal = cvm.trust === 'simulated' && isUp(cvm);
  const { data, isError } = useQuery({
    ...compositionOptions(teamSlug, cvm.vm_uuid ?? ''),
    enabled: isLocal && cvm.vm_uuid !== null,
  });
  return !isLocal || isError || cvm.vm_uuid === null ? false : data?.simulated;
}
