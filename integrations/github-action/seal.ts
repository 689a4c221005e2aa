import { KmsKeyError, verifyEnvKey, type SignedEnvKey } from '../../console/lib/secrets/kmsKey';
import { statedRoots } from '../../console/lib/secrets/kmsPins';
import { sealEnv, SealError, type EnvPair } from '../../console/lib/secrets/seal';
import { getAppEnvPubkey, getKms, type Client } from '../client';
import { DeployError, EXIT } from './exit';

interface Sealing {
  kms: string;
  app_id: string;
  /** Requested from the KMS if null. */
  key: SignedEnvKey | null;
  /** Root keys pinned by the caller; otherwise the server's record is used. */
  pinned: readonly string[] | undefined;
}

/**
 * Encrypts the secrets to the app's key, after checking that the KMS issued it: only the enclave can read the result.
 * @throws {DeployError} before anything is encrypted
 */
export async function seal(
  client: Client,
  pairs: readonly EnvPair[],
  { kms, app_id, key, pinned }: Sealing,
): Promise<string> {
  const options = { client, throwOnError: true } as const;
  const { data: contract } = await getKms({ ...options, path: { kms } });
  const roots = pinned ?? statedRoots(contract);
  if (roots.length === 0)
    throw new DeployError(
      EXIT.failed,
      'The KMS has no root key on record, so the key that secrets are encrypted to can’t be checked. No secret was sent.',
      ['Pin the key with kms-root, or ask an administrator to record it.'],
    );
  const signed = key ?? {
    app_id,
    ...(await getAppEnvPubkey({ ...options, path: { kms, app_id } })).data,
  };
  try {
    verifyEnvKey({ ...signed, pinned_k256_pubkey: roots });
    return sealEnv(pairs, signed.public_key);
  } catch (error) {
    if (error instanceof KmsKeyError)
      throw new DeployError(EXIT.failed, `${error.message} No secret was sent.`, [
        error.code === 'signature_too_old' || error.code === 'signature_from_future'
          ? 'Correct this runner’s clock.'
          : 'Compare kms-root with the key that the KMS operator publishes, before you run this again.',
      ]);
    if (error instanceof SealError) throw new DeployError(EXIT.failed, error.message);
    throw error;
  }
}
