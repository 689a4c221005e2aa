import { createInvitation } from './createInvitation';
import { createWorkspace } from './createWorkspace';
import { deleteMember } from './deleteMember';
import { deleteWorkspace } from './deleteWorkspace';
import { getWorkspace } from './getWorkspace';
import { getWorkspaceQuotas } from './getWorkspaceQuotas';
import { leaveWorkspace } from './leaveWorkspace';
import { listInvitations } from './listInvitations';
import { listMembers } from './listMembers';
import { listWorkspaceNodes } from './listWorkspaceNodes';
import { listWorkspaces } from './listWorkspaces';
import { resendInvitation } from './resendInvitation';
import { revokeInvitation } from './revokeInvitation';
import { setDefaultWorkspace } from './setDefaultWorkspace';
import { transferWorkspace } from './transferWorkspace';
import { updateMember } from './updateMember';
import { updateWorkspace } from './updateWorkspace';

export const workspacesHandlers = {
  createInvitation,
  createWorkspace,
  deleteMember,
  deleteWorkspace,
  getWorkspace,
  getWorkspaceQuotas,
  leaveWorkspace,
  listInvitations,
  listMembers,
  listWorkspaceNodes,
  listWorkspaces,
  resendInvitation,
  revokeInvitation,
  setDefaultWorkspace,
  transferWorkspace,
  updateMember,
  updateWorkspace,
};
