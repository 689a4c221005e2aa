import { gotNoKeys, keyRefusal, refusedPart } from '../../../console/lib/kms/bootRefusal';
import { operationText } from '../../../console/lib/texts/operationTexts';
import type { Text } from '../../../console/lib/texts/text';
import type { Db, Tx } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { guardedApp } from '../../db/kms/guardedApp';
import { OperationFailed } from './operationErrors';

type Booted = Pick<CvmRow, 'app_id' | 'os_image' | 'teepod_id'>;

interface KeysRefused {
  /** `none`: the contract made no decision, for example because the KMS or the chain didn't answer. */
  part: 'hash' | 'device' | 'other' | 'none';
  reason: Text;
  advice: Text;
}

/** Returns why a CVM whose app has a contract booted without keys; null if its boot failed for another reason. */
export async function keysRefused(db: Db | Tx, cvm: Booted, boot_error: string): Promise<KeysRefused | null> {
  const said = keyRefusal(boot_error);
  // Without a contract nobody can allow it, so something changed on the host.
  if ((said === null && !gotNoKeys(boot_error)) || !(await guardedApp(db, cvm))) return null;
  if (said === null)
    return { part: 'none', reason: operationText('no_keys'), advice: operationText('advice_keys') };
  const part = refusedPart(said);
  if (part === 'hash')
    return { part, reason: operationText('keys_refused_hash'), advice: operationText('advice_allow_hash') };
  if (part === 'device')
    return {
      part,
      reason: operationText('keys_refused_device'),
      advice: operationText('advice_allow_device'),
    };
  return {
    part,
    reason: operationText('keys_refused', { text: said }),
    advice: operationText('advice_contract'),
  };
}

/** Returns how an operation fails after a failed boot. */
export async function bootFailed(db: Db, cvm: Booted, boot_error: string): Promise<OperationFailed> {
  const refused = await keysRefused(db, cvm, boot_error);
  if (refused)
    return new OperationFailed(
      refused.part === 'hash' ? 'HASH_NOT_ALLOWED' : 'HOST_REFUSED',
      refused.reason,
      refused.advice,
    );
  return new OperationFailed(
    'HOST_REFUSED',
    operationText('boot_error', { text: boot_error }),
    operationText('advice_compose'),
  );
}
