import { useQuery } from '@tanstack/react-query';
import { getAppEnvPubkeyOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../../api/client';
import { KmsKeyError, verifyEnvKey } from '../../../lib/kmsKey';

/** Whether the key an app's secrets are sealed to was signed by the pinned root key: checked here, whatever the server says. */
export type EnvKeyVerdict = { good: true; signer: string } | { good: false; why: string };

export interface EnvKey {
  public_key: string;
  verdict: EnvKeyVerdict;
}

export function judgeEnvKey(key: {
  public_key: string;
  signature: string;
  app_id: string;
  pinned_k256_pubkey: string | null;
}): EnvKeyVerdict {
  const { pinned_k256_pubkey, ...signed } = key;
  if (pinned_k256_pubkey === null)
    return {
      good: false,
      why: 'No root key of the KMS is pinned, so there is nothing to check the signature against.',
    };
  try {
    return { good: true, signer: verifyEnvKey({ ...signed, pinned_k256_pubkey }) };
  } catch (error) {
    if (error instanceof KmsKeyError) return { good: false, why: error.message };
    throw error;
  }
}

/** Asks the KMS for the app's key now; it is the same at each time, so the one secrets were sealed to can be compared. */
export function useEnvKey(
  teamSlug: string,
  kms: { slug: string; k256_pubkey: string | null } | null,
  app_id: string,
) {
  return useQuery({
    ...getAppEnvPubkeyOptions({ ...inTeam(teamSlug), path: { kms: kms?.slug ?? '', app_id } }),
    enabled: kms !== null,
    staleTime: 60_000,
    select: (key): EnvKey => ({
      public_key: key.public_key,
      verdict: judgeEnvKey({ ...key, app_id, pinned_k256_pubkey: kms?.k256_pubkey ?? null }),
    }),
  });
}
