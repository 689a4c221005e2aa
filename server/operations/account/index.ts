import { cancelEmailChange } from './cancelEmailChange';
import { changePassword } from './changePassword';
import { deleteAccount } from './deleteAccount';
import { deleteAccountSession } from './deleteAccountSession';
import { deleteOtherSessions } from './deleteOtherSessions';
import { exportAccount } from './exportAccount';
import { getAccount } from './getAccount';
import { listAccountSessions } from './listAccountSessions';
import { requestEmailChange } from './requestEmailChange';
import { updateAccount } from './updateAccount';

export const accountHandlers = {
  cancelEmailChange,
  changePassword,
  deleteAccount,
  deleteAccountSession,
  deleteOtherSessions,
  exportAccount,
  getAccount,
  listAccountSessions,
  requestEmailChange,
  updateAccount,
};
