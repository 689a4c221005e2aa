// The last place that handles plaintext: checks the encryption key against the KMS root key on record and the keys
// pinned in this browser, then encrypts the environment. Used for new CVMs and for new secrets of existing ones.

import type { AppEnvPubkey } from '../../../../generated/api/types.gen';
import type { EnvPair } from '../../../lib/compose/envRules';
import { KmsKeyError, type SignedEnvKey, verifyEnvKey } from '../../../lib/secrets/kmsKey';
import {
  isPinned,
  type KmsPin,
  parsePins,
  pinnedKeys,
  PINS_STORE,
  type StatedRoots,
  statedRoots,
} from '../../../lib/secrets/kmsPins';
import { sealEnv } from '../../../lib/secrets/seal';
import { readStored } from '../../../ui/stored';

export interface KeyApi {
  getKms(kms: string): Promise<StatedRoots>;
  getAppEnvPubkey(kms: string, app_id: string): Promise<AppEnvPubkey>;
}

/** Thrown when the flow stops for safety, before any secret leaves this browser. */
export class DeployRefused extends Error {
  readonly code: string;
  readonly advice: string;
  constructor(code: string, message: string, advice: string) {
    super(message);
    this.name = 'DeployRefused';
    this.code = code;
    this.advice = advice;
  }
}

const COMPARE =
  'Ask the KMS operator for the current root key through another channel. If it matches this one, pin it on the CVM’s KMS page or in your account’s security settings.';

/**
 * Rejects a KMS of whose root keys none is pinned, if this browser has pins.
 * @returns the pins
 * @throws {DeployRefused}
 */
function comparePins(
  pins: readonly KmsPin[] | null,
  kms_id: string,
  roots: readonly string[],
): readonly KmsPin[] {
  if (pins === null)
    throw new DeployRefused(
      'kms_pins_unreadable',
      'Couldn’t read the KMS keys pinned in this browser to compare them. Nothing was encrypted or sent.',
      'Clear the pinned keys in your account’s security settings, then pin them again.',
    );
  if (roots.every((root) => isPinned(pins, 'env', root) === false))
    throw new DeployRefused(
      'kms_root_not_pinned',
      `KMS “${kms_id}” has root key ${roots[0]}, which isn’t pinned in this browser. Pinned: ${pinnedKeys(pins, 'env')?.join(', ')}. Nothing was encrypted or sent.`,
      COMPARE,
    );
  return pins;
}

/**
 * Returns the public key to seal to after verifying the KMS signature. Requests the key from the KMS if none is
 * given. `pins` are this browser's; null if they can't be read. @throws {DeployRefused}
 */
export async function checkedKey(
  api: KeyApi,
  kms_id: string,
  app_id: string,
  given: SignedEnvKey | null,
  pins: readonly KmsPin[] | null = parsePins(readStored(PINS_STORE, '')),
): Promise<{ public_key: string; signer: string }> {
  const roots = statedRoots(await api.getKms(kms_id));
  if (roots.length === 0)
    throw new DeployRefused(
      'kms_key_not_pinned',
      'This KMS has no root key on record, so its encryption key can’t be checked.',
      'Deploy without secrets, or ask an administrator to record the KMS root key.',
    );
  const known = comparePins(pins, kms_id, roots);
  const signed = given ?? { app_id, ...(await api.getAppEnvPubkey(kms_id, app_id)) };
  try {
    const signer = verifyEnvKey({ ...signed, pinned_k256_pubkey: roots });
    // A server can announce any key, so an announced one is trusted only once the user has pinned it.
    if (isPinned(known, 'env', signer) === false)
      throw new DeployRefused(
        'kms_root_being_replaced',
        `The operator of KMS “${kms_id}” is replacing its root key, and the KMS now signs with ${signer}. This browser has only the other key pinned. Nothing was encrypted or sent.`,
        COMPARE,
      );
    return { public_key: signed.public_key, signer };
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    const clock = error.code === 'signature_too_old' || error.code === 'signature_from_future';
    throw new DeployRefused(
      error.code,
      error.message,
      clock
        ? 'Correct this device’s clock, then try again.'
        : 'No secret was sent. Stop here: the connection to the KMS may be intercepted. Send both keys to an administrator.',
    );
  }
}

export const seal = (env: readonly EnvPair[], public_key: string): string => sealEnv(env, public_key);
