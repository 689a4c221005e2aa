import { cancelRollout } from './cancelRollout';
import { createAppInstance } from './createAppInstance';
import { createRollout } from './createRollout';
import { getApp } from './getApp';
import { getAppRevision } from './getAppRevision';
import { getRollout } from './getRollout';
import { getAppFilterOptions } from './getAppFilterOptions';
import {
  checkAppCvmsIsAllowed,
  checkAppIsAllowed,
  checkCvmIsAllowed,
  getAppDeviceAllowlist,
} from './isAllowed';
import { listAppCvms } from './listAppCvms';
import { listAppRevisions } from './listAppRevisions';
import { listApps } from './listApps';
import { listRollouts } from './listRollouts';
import { redeployAppRevision } from './redeployAppRevision';

export const appHandlers = {
  cancelRollout,
  createAppInstance,
  createRollout,
  getRollout,
  listRollouts,
  redeployAppRevision,
  checkAppCvmsIsAllowed,
  checkAppIsAllowed,
  checkCvmIsAllowed,
  getAppDeviceAllowlist,
  getAppFilterOptions,
  listApps,
  getApp,
  listAppCvms,
  listAppRevisions,
  getAppRevision,
};
