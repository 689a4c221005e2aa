import { getAppEnvPubkey } from './getAppEnvPubkey';
import { getInstanceTypeFamily } from './getInstanceTypeFamily';
import { getKms } from './getKms';
import { getKmsOnChain } from './getKmsOnChain';
import { getNextAppIds } from './getNextAppIds';
import { listAvailableTeepods } from './listAvailableTeepods';
import { listInstanceTypes } from './listInstanceTypes';
import { listKms } from './listKms';
import { listOsImages } from './listOsImages';

export const catalogueHandlers = {
  getAppEnvPubkey,
  getInstanceTypeFamily,
  getKms,
  getKmsOnChain,
  getNextAppIds,
  listAvailableTeepods,
  listInstanceTypes,
  listKms,
  listOsImages,
};
