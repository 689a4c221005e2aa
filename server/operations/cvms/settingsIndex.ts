import { batchStopCvms } from './batchStopCvms';
import { commitCvmComposeFile } from './commitCvmComposeFile';
import { getCvmOperationStatus } from './getCvmOperationStatus';
import { listCvmOsImages } from './listCvmOsImages';
import { listRecycledCvms } from './listRecycledCvms';
import { commitCvmReplica, commitCvmUpdate } from './onChainCommit';
import { protectCvm, unprotectCvm } from './protection';
import { provisionCvmComposeFile } from './provisionCvmComposeFile';
import { purgeRecycledCvm } from './purgeRecycledCvm';
import { refreshCvmInstanceId, refreshCvmInstanceIds } from './refreshInstanceId';
import { renameCvm } from './renameCvm';
import { restoreCvm } from './restoreCvm';
import { scheduleCvmDelete, scheduleCvmStop } from './schedule';
import { setCvmListed } from './setCvmListed';
import { setCvmMovable } from './setCvmMovable';
import { updateCvmOsImage } from './updateCvmOsImage';
import { updateCvmVisibility } from './updateCvmVisibility';
import { updatePreLaunchScript } from './updatePreLaunchScript';

export const cvmSettingsHandlers = {
  batchStopCvms,
  commitCvmComposeFile,
  commitCvmReplica,
  commitCvmUpdate,
  getCvmOperationStatus,
  listCvmOsImages,
  listRecycledCvms,
  protectCvm,
  provisionCvmComposeFile,
  purgeRecycledCvm,
  refreshCvmInstanceId,
  refreshCvmInstanceIds,
  renameCvm,
  restoreCvm,
  scheduleCvmDelete,
  scheduleCvmStop,
  setCvmListed,
  setCvmMovable,
  unprotectCvm,
  updateCvmOsImage,
  updateCvmVisibility,
  updatePreLaunchScript,
};
