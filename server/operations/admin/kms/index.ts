import { checkAdminKms } from './checkAdminKms';
import { createAdminKms } from './createAdminKms';
import { createAdminKmsContract } from './createAdminKmsContract';
import { deleteAdminKms } from './deleteAdminKms';
import { deleteAdminKmsContract } from './deleteAdminKmsContract';
import { getAdminKms } from './getAdminKms';
import { getAdminKmsContract } from './getAdminKmsContract';
import { listAdminKms } from './listAdminKms';
import { listAdminKmsContracts } from './listAdminKmsContracts';
import { readAdminKmsContract } from './readAdminKmsContract';
import { tryAdminKmsContractApp } from './tryAdminKmsContractApp';
import { updateAdminKms } from './updateAdminKms';
import { updateAdminKmsContract } from './updateAdminKmsContract';

export const kmsHandlers = {
  checkAdminKms,
  createAdminKms,
  createAdminKmsContract,
  deleteAdminKms,
  deleteAdminKmsContract,
  getAdminKms,
  getAdminKmsContract,
  listAdminKms,
  listAdminKmsContracts,
  readAdminKmsContract,
  tryAdminKmsContractApp,
  updateAdminKms,
  updateAdminKmsContract,
};
