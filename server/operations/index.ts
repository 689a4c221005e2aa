import { appHandlers } from './apps';
import { authHandlers } from './auth';
import { catalogueHandlers } from './catalogue';
import { cvmWriteHandlers } from './cvms/writeIndex';
import { sshKeysHandlers } from './ssh_keys';
import { workspacesHandlers } from './workspaces';
import type { Handlers } from './types';

/** Every operation of the document and its handler; one missing does not compile. */
export const handlers: Handlers = {
  ...appHandlers,
  ...authHandlers,
  ...catalogueHandlers,
  ...cvmWriteHandlers,
  ...sshKeysHandlers,
  ...workspacesHandlers,
};
