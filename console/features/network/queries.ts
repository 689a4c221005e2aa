import {
  getCvmNetworkOptions,
  listCvmDomainsOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { DomainList } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';

/** The guest's tunnel and counters change without events. */
export const networkOptions = (teamSlug: string, cvm_id: string) => ({
  ...getCvmNetworkOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  refetchInterval: 15_000,
});

/** An invalid domain may become valid at any time; the server rechecks it automatically. */
export const domainsOptions = (teamSlug: string, cvm_id: string) => ({
  ...listCvmDomainsOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  refetchInterval: (query: { state: { data?: DomainList | undefined } }) =>
    query.state.data?.data.some(({ state }) => state !== 'verified') ? 15_000 : 120_000,
});
