import { getCvm } from './getCvm';
import { getCvmAttestation } from './getCvmAttestation';
import { getCvmComposeFile } from './getCvmComposeFile';
import { getCvmComposition } from './getCvmComposition';
import { getCvmDockerCompose } from './getCvmDockerCompose';
import { getCvmNetwork } from './getCvmNetwork';
import { getCvmPreLaunchScript } from './getCvmPreLaunchScript';
import { getCvmState } from './getCvmState';
import { getCvmStats } from './getCvmStats';
import { getCvmUserConfig } from './getCvmUserConfig';
import { getStatusBatch } from './getStatusBatch';
import { listCvmsPaginated } from './listCvmsPaginated';

export const cvmReadHandlers = {
  getStatusBatch,
  listCvmsPaginated,
  getCvm,
  getCvmState,
  getCvmComposition,
  getCvmAttestation,
  getCvmUserConfig,
  getCvmStats,
  getCvmNetwork,
  getCvmComposeFile,
  getCvmDockerCompose,
  getCvmPreLaunchScript,
};
