import { useQuery } from '@tanstack/react-query';
import { getAppEnvPubkeyOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { KmsKeyError, verifyEnvKey } from '../../lib/secrets/kmsKey';
import { isPinned, type KmsPin } from '../../lib/secrets/kmsPins';

/**
 * Whether the key an app's secrets are sealed to was signed by the KMS root key on record, and whether that is a key
 * pinned in this browser (`pinned` false: no key is pinned).
 */
export type EnvKeyVerdict = { good: true; signer: string; pinned: boolean } | { good: false; why: string };

export interface EnvKey {
  public_key: string;
  verdict: EnvKeyVerdict;
}

export function judgeEnvKey(
  key: {
    public_key: string;
    signature: string;
    app_id: string;
    pinned_k256_pubkey: string | null;
  },
  pins: readonly KmsPin[] | null = [],
): EnvKeyVerdict {
  const { pinned_k256_pubkey, ...signed } = key;
  if (pinned_k256_pubkey === null)
    return {
      good: false,
      why: 'The KMS has no root key on record to check the signature against.',
    };
  if (pins === null) return { good: false, why: 'The KMS keys pinned in this browser can’t be read.' };
  try {
    const signer = verifyEnvKey({ ...signed, pinned_k256_pubkey });
    const known = isPinned(pins, 'env', signer);
    return known === false
      ? { good: false, why: `It is signed by root key ${signer}, which isn’t pinned in this browser.` }
      : { good: true, signer, pinned: known === true };
  } catch (error) {
    if (error instanceof KmsKeyError) return { good: false, why: error.message };
    throw error;
  }
}

/** Fetches the app's key from the KMS. It never changes, so it can be compared with the key secrets were sealed to. */
export function useEnvKey(
  teamSlug: string,
  kms: { slug: string; k256_pubkey: string | null } | null,
  app_id: string,
  pins: readonly KmsPin[] | null,
) {
  return useQuery({
    ...getAppEnvPubkeyOptions({ ...inTeam(teamSlug), path: { kms: kms?.slug ?? '', app_id } }),
    enabled: kms !== null,
    staleTime: 60_000,
    select: (key): EnvKey => ({
      public_key: key.public_key,
      verdict: judgeEnvKey({ ...key, app_id, pinned_k256_pubkey: kms?.k256_pubkey ?? null }, pins),
    }),
  });
}
