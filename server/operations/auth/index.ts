import { acceptInvitation } from './acceptInvitation';
import { checkInvitation } from './checkInvitation';
import { checkPasswordReset } from './checkPasswordReset';
import { createDeviceCode } from './createDeviceCode';
import { createDeviceToken } from './createDeviceToken';
import { decideDeviceAuthorization } from './decideDeviceAuthorization';
import { declineInvitation } from './declineInvitation';
import { deleteSession } from './deleteSession';
import { endViewAs } from './endViewAs';
import { getCurrentUser } from './getCurrentUser';
import { getDeviceAuthorization } from './getDeviceAuthorization';
import { getSession } from './getSession';
import { registerUser } from './registerUser';
import { requestPasswordReset } from './requestPasswordReset';
import { resendVerification } from './resendVerification';
import { resetPassword } from './resetPassword';
import { verifyEmail } from './verifyEmail';
import { countingLinks } from '../shared/guessing';

export const authHandlers = {
  acceptInvitation: countingLinks(acceptInvitation),
  checkInvitation: countingLinks(checkInvitation),
  checkPasswordReset: countingLinks(checkPasswordReset),
  createDeviceCode,
  createDeviceToken,
  decideDeviceAuthorization,
  declineInvitation: countingLinks(declineInvitation),
  deleteSession,
  endViewAs,
  getCurrentUser,
  getDeviceAuthorization,
  getSession,
  registerUser,
  requestPasswordReset,
  resendVerification,
  resetPassword: countingLinks(resetPassword),
  verifyEmail: countingLinks(verifyEmail),
};
