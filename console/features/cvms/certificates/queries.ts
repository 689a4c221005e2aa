import { getCvmEvidenceOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';

/** Each answer asks the guest; what it says changes with a boot, and with Intel's statements about once a day. */
export const evidenceOptions = (teamSlug: string, cvm_id: string) => ({
  ...getCvmEvidenceOptions({ ...inTeam(teamSlug), path: { cvm_id } }),
  staleTime: 30_000,
  refetchInterval: 300_000,
});
