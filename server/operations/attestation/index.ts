import { getAppAttestations } from './getAppAttestations';
import { getCvmEvidence } from './getCvmEvidence';

export const attestationHandlers = { getAppAttestations, getCvmEvidence };
