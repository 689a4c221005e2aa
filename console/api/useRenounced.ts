import { useQuery } from '@tanstack/react-query';
import { getAppContractOptions } from '../../generated/api/@tanstack/react-query.gen';
import { guardingNetwork } from '../lib/kms/chains';
import { renouncedContract, type Renounced } from '../lib/kms/renounced';
import { inTeam } from './client';

/**
 * Returns the permanent state of a CVM's app contract if nobody can change it anymore; null if an owner can, if no
 * contract guards the app, or while unknown.
 */
export function useRenounced(
  teamSlug: string,
  app_id: string | null,
  cvm: Parameters<typeof guardingNetwork>[0],
): Renounced | null {
  const network = guardingNetwork(cvm);
  const { data } = useQuery({
    ...getAppContractOptions({ ...inTeam(teamSlug), path: { app_id: app_id ?? '' } }),
    enabled: network !== null && Boolean(app_id),
  });
  return data && network !== null ? renouncedContract(data, network) : null;
}
