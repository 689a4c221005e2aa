import { checkCvmNetwork } from './checkCvmNetwork';
import { createCvmDomain } from './createCvmDomain';
import { deleteCvmDomain } from './deleteCvmDomain';
import { diagnoseCvmDomain } from './diagnoseCvmDomain';
import { listCvmDomains } from './listCvmDomains';
import { verifyCvmDomain } from './verifyCvmDomain';

export const networkHandlers = {
  checkCvmNetwork,
  createCvmDomain,
  deleteCvmDomain,
  diagnoseCvmDomain,
  listCvmDomains,
  verifyCvmDomain,
};
