import { getCvmEvidenceOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';

/** Each request queries the guest. Evidence changes with a boot, and Intel collateral about once a day. */
export const evidenceOptions = (teamSlug: string, cvm_id: string) => ({
  ...getCvmEvidenceOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  staleTime: 30_000,
  refetchInterval: 300_000,
});
