import { confirmTotp } from './confirmTotp';
import { createPasskey } from './createPasskey';
import { createPasskeyRegistration } from './createPasskeyRegistration';
import { createRecoveryCodes } from './createRecoveryCodes';
import { createTotp } from './createTotp';
import { deletePasskey } from './deletePasskey';
import { deleteTotp } from './deleteTotp';
import { getSecondFactors } from './getSecondFactors';
import { updatePasskey } from './updatePasskey';

export const factorHandlers = {
  confirmTotp,
  createPasskey,
  createPasskeyRegistration,
  createRecoveryCodes,
  createTotp,
  deletePasskey,
  deleteTotp,
  getSecondFactors,
  updatePasskey,
};
