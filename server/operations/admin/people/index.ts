import { deleteAdminWorkspace } from './deleteAdminWorkspace';
import { endAdminUserSessions } from './endAdminUserSessions';
import { getAdminApp } from './getAdminApp';
import { getAdminAudit } from './getAdminAudit';
import { getAdminSpend } from './getAdminSpend';
import { getAdminUser } from './getAdminUser';
import { getAdminWorkspace } from './getAdminWorkspace';
import { listAdminApps } from './listAdminApps';
import { listAdminAudit } from './listAdminAudit';
import { listAdminMembers } from './listAdminMembers';
import { listAdminUsage } from './listAdminUsage';
import { listAdminUsers } from './listAdminUsers';
import { listAdminWorkspaces } from './listAdminWorkspaces';
import { reactivateAdminUser } from './reactivateAdminUser';
import { resendAdminUserVerification } from './resendAdminUserVerification';
import { resetAdminUserSecondFactor } from './resetAdminUserSecondFactor';
import { suspendAdminUser } from './suspendAdminUser';
import { updateAdminUser } from './updateAdminUser';
import { updateAdminWorkspace } from './updateAdminWorkspace';
import { verifyAdminAudit } from './verifyAdminAudit';
import { viewAsAdminUser } from './viewAsAdminUser';

/** People, teams, who is in which, what they have, and what was done: tag `admin`. */
export const adminPeopleHandlers = {
  deleteAdminWorkspace,
  endAdminUserSessions,
  getAdminApp,
  getAdminAudit,
  getAdminSpend,
  getAdminUser,
  getAdminWorkspace,
  listAdminApps,
  listAdminAudit,
  listAdminMembers,
  listAdminUsage,
  listAdminUsers,
  listAdminWorkspaces,
  reactivateAdminUser,
  resendAdminUserVerification,
  resetAdminUserSecondFactor,
  suspendAdminUser,
  updateAdminUser,
  updateAdminWorkspace,
  verifyAdminAudit,
  viewAsAdminUser,
};
