import { createWorkspace } from './createWorkspace';
import { getWorkspace } from './getWorkspace';
import { getWorkspaceQuotas } from './getWorkspaceQuotas';
import { listWorkspaceNodes } from './listWorkspaceNodes';
import { listWorkspaces } from './listWorkspaces';

export const workspacesHandlers = {
  createWorkspace,
  getWorkspace,
  getWorkspaceQuotas,
  listWorkspaceNodes,
  listWorkspaces,
};
