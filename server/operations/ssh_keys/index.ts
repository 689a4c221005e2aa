import { createSshKey } from './createSshKey';
import { deleteSshKey } from './deleteSshKey';
import { importGithubKeys, syncGithubKeys } from './github';
import { listSshKeys } from './listSshKeys';

export const sshKeysHandlers = { createSshKey, deleteSshKey, importGithubKeys, listSshKeys, syncGithubKeys };
