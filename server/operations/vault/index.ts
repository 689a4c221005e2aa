import { createVault } from './createVault';
import { createVaultLock } from './createVaultLock';
import { deleteSecretCopies } from './deleteSecretCopies';
import { deleteVault } from './deleteVault';
import { deleteVaultLock } from './deleteVaultLock';
import { getVault } from './getVault';
import { listSecretCopies } from './listSecretCopies';
import { putSecretCopy } from './putSecretCopy';

export const vaultHandlers = {
  createVault,
  createVaultLock,
  deleteSecretCopies,
  deleteVault,
  deleteVaultLock,
  getVault,
  listSecretCopies,
  putSecretCopy,
};
