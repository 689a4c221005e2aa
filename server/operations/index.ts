import { accountHandlers } from './account';
import { activityHandlers } from './activity';
import { adminHandlers } from './admin';
import { factorHandlers } from './account/factorIndex';
import { appHandlers } from './apps';
import { attestationHandlers } from './attestation';
import { auditHandlers } from './audit';
import { authHandlers } from './auth';
import { signInHandlers } from './auth/signInIndex';
import { catalogueHandlers } from './catalogue';
import { cvmReadHandlers } from './cvms/readIndex';
import { cvmSettingsHandlers } from './cvms/settingsIndex';
import { cvmWriteHandlers } from './cvms/writeIndex';
import { logHandlers } from './logs';
import { networkHandlers } from './network';
import { metricsHandlers } from './metrics';
import { notificationsHandlers } from './notifications';
import { sshKeysHandlers } from './ssh_keys';
import { ssoHandlers } from './sso';
import { tokensHandlers } from './tokens';
import { vaultHandlers } from './vault';
import { webhooksHandlers } from './webhooks';
import { workspacesHandlers } from './workspaces';
import type { Handlers } from './types';

/** Every operation of the document and its handler; one missing does not compile. */
export const handlers: Handlers = {
  ...accountHandlers,
  ...activityHandlers,
  ...adminHandlers,
  ...appHandlers,
  ...attestationHandlers,
  ...auditHandlers,
  ...authHandlers,
  ...signInHandlers,
  ...factorHandlers,
  ...catalogueHandlers,
  ...cvmReadHandlers,
  ...cvmSettingsHandlers,
  ...cvmWriteHandlers,
  ...logHandlers,
  ...networkHandlers,
  ...metricsHandlers,
  ...notificationsHandlers,
  ...sshKeysHandlers,
  ...ssoHandlers,
  ...tokensHandlers,
  ...vaultHandlers,
  ...webhooksHandlers,
  ...workspacesHandlers,
};
