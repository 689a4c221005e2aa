import { createSshKey } from './createSshKey';
import { deleteSshKey } from './deleteSshKey';
import { listSshKeys } from './listSshKeys';

export const sshKeysHandlers = { createSshKey, deleteSshKey, listSshKeys };
