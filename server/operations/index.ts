import { authHandlers } from './auth';
import { catalogueHandlers } from './catalogue';
import { cvmWriteHandlers } from './cvms/writeIndex';
import { sshKeyHandlers } from './ssh_keys';
import { workspaceHandlers } from './workspaces';
import type { Handlers } from './types';

/** Every operation of the document and its handler; one missing does not compile. */
export const handlers: Handlers = {
  ...authHandlers,
  ...catalogueHandlers,
  ...cvmWriteHandlers,
  ...sshKeyHandlers,
  ...workspaceHandlers,
};
