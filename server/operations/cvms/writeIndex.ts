import { restartCvm, shutdownCvm, startCvm, stopCvm } from './actions';
import { createCvm } from './createCvm';
import { createCvmReplica } from './createCvmReplica';
import { deleteCvm } from './deleteCvm';
import { deployPreflight } from './deployPreflight';
import { patchCvm } from './patchCvm';
import { provisionCvm } from './provisionCvm';
import { updateCvmEnvs } from './updateCvmEnvs';
import { updateCvmResources } from './updateCvmResources';
import { updateDockerCompose } from './updateDockerCompose';

import { redeployCvmRevision } from './redeployCvmRevision';

export const cvmWriteHandlers = {
  redeployCvmRevision,
  createCvm,
  createCvmReplica,
  deleteCvm,
  deployPreflight,
  patchCvm,
  provisionCvm,
  restartCvm,
  shutdownCvm,
  startCvm,
  stopCvm,
  updateCvmEnvs,
  updateCvmResources,
  updateDockerCompose,
};
