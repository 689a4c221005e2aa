import { createDeviceCode } from './createDeviceCode';
import { createDeviceToken } from './createDeviceToken';
import { createSession } from './createSession';
import { decideDeviceAuthorization } from './decideDeviceAuthorization';
import { deleteSession } from './deleteSession';
import { getCurrentUser } from './getCurrentUser';
import { getDeviceAuthorization } from './getDeviceAuthorization';
import { getSession } from './getSession';
import { registerUser } from './registerUser';

export const authHandlers = {
  createDeviceCode,
  createDeviceToken,
  createSession,
  decideDeviceAuthorization,
  deleteSession,
  getCurrentUser,
  getDeviceAuthorization,
  getSession,
  registerUser,
};
