import { useQuery } from '@tanstack/react-query';
import { getAppEnvPubkeyOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { KmsKeyError, verifyEnvKey } from '../../lib/secrets/kmsKey';
import { isPinned, type KmsPin, statedRoots, type StatedRoots } from '../../lib/secrets/kmsPins';

/**
 * Whether the key an app's secrets are sealed to was signed by the KMS root key on record, and whether that is a key
 * pinned in this browser (`pinned` false: no key is pinned). `replacing`: the operator announced that the signer
 * replaces the pinned one, or the reverse.
 */
export type EnvKeyVerdict =
  | { good: true; signer: string; pinned: boolean }
  | { good: false; why: string; replacing?: boolean };

export interface EnvKey {
  public_key: string;
  verdict: EnvKeyVerdict;
}

export function judgeEnvKey(
  key: {
    public_key: string;
    signature: string;
    app_id: string;
    /** Root keys on record: none, one, or two while one replaces the other. */
    pinned_k256_pubkey: readonly string[];
  },
  pins: readonly KmsPin[] | null = [],
): EnvKeyVerdict {
  const { pinned_k256_pubkey, ...signed } = key;
  if (pinned_k256_pubkey.length === 0)
    return {
      good: false,
      why: 'The KMS has no root key on record to check the signature against.',
    };
  if (pins === null) return { good: false, why: 'The KMS keys pinned in this browser can’t be read.' };
  try {
    const signer = verifyEnvKey({ ...signed, pinned_k256_pubkey });
    const known = isPinned(pins, 'env', signer);
    if (known !== false) return { good: true, signer, pinned: known === true };
    return {
      good: false,
      why: `It is signed by root key ${signer}, which isn’t pinned in this browser.`,
      replacing: pinned_k256_pubkey.some((root) => isPinned(pins, 'env', root) === true),
    };
  } catch (error) {
    if (error instanceof KmsKeyError) return { good: false, why: error.message };
    throw error;
  }
}

/** Fetches the app's key from the KMS. It never changes, so it can be compared with the key secrets were sealed to. */
export function useEnvKey(
  teamSlug: string,
  kms: (StatedRoots & { slug: string }) | null,
  app_id: string,
  pins: readonly KmsPin[] | null,
) {
  return useQuery({
    ...getAppEnvPubkeyOptions({ ...inTeam(teamSlug), path: { kms: kms?.slug ?? '', app_id } }),
    enabled: kms !== null,
    staleTime: 60_000,
    select: (key): EnvKey => ({
      public_key: key.public_key,
      verdict: judgeEnvKey({ ...key, app_id, pinned_k256_pubkey: kms ? statedRoots(kms) : [] }, pins),
    }),
  });
}
