// Plaintext ends here: the encryption key is checked against the KMS key pinned on the server's side, then the
// environment becomes ciphertext. Used for a new CVM and for new secrets of a running one.

import type { AppEnvPubkey, KmsInfo, Provision } from '../../../generated/api/types.gen';
import type { EnvPair } from '../../lib/envRules';
import { KmsKeyError, type SignedEnvKey, verifyEnvKey } from '../../lib/kmsKey';
import { sealEnv } from '../../lib/seal';

export interface KeyApi {
  getKms(kms: string): Promise<KmsInfo>;
  getAppEnvPubkey(kms: string, app_id: string): Promise<AppEnvPubkey>;
}

/** The flow stopped on purpose, before anything secret left this browser. */
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

/** The key of a fresh provision. The signature with a time in it is preferred: it cannot be replayed for ever. */
export function signedKeyOf(provision: Provision): SignedEnvKey | null {
  const {
    app_id,
    app_env_encrypt_pubkey: public_key,
    app_env_encrypt_pubkey_signature: signature,
    app_env_encrypt_pubkey_signature_v1: signature_v1,
    app_env_encrypt_pubkey_timestamp: timestamp,
  } = provision;
  if (app_id === null || public_key === null) return null;
  if (signature_v1 !== null && timestamp !== null)
    return { app_id, public_key, signature: signature_v1, timestamp };
  return signature === null ? null : { app_id, public_key, signature };
}

/**
 * The public key to seal to, after its signature was found to be the pinned KMS's. Asks the KMS for the key when
 * none is given. @throws {DeployRefused}
 */
export async function checkedKey(
  api: KeyApi,
  kms_id: string,
  app_id: string,
  given: SignedEnvKey | null,
): Promise<{ public_key: string; signer: string }> {
  const { k256_pubkey } = await api.getKms(kms_id);
  if (k256_pubkey === null)
    throw new DeployRefused(
      'kms_key_not_pinned',
      'This key management service has no pinned root key, so nobody can tell whose encryption key this is.',
      'Deploy without secrets, or ask an administrator to pin the root key of the KMS.',
    );
  const signed = given ?? { app_id, ...(await api.getAppEnvPubkey(kms_id, app_id)) };
  try {
    return {
      public_key: signed.public_key,
      signer: verifyEnvKey({ ...signed, pinned_k256_pubkey: k256_pubkey }),
    };
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    const clock = error.code === 'signature_too_old' || error.code === 'signature_from_future';
    throw new DeployRefused(
      error.code,
      error.message,
      clock
        ? 'Set the clock of this device, then try again.'
        : 'Nothing secret was sent. Do not go on: somebody may stand between you and the KMS. Tell an administrator and quote both keys.',
    );
  }
}

export const seal = (env: readonly EnvPair[], public_key: string): string => sealEnv(env, public_key);
