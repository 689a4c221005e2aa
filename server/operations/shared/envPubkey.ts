import { KmsKeyError, verifyEnvKey } from '../../../console/lib/kmsKey';
import type { KmsRow } from '../../db/schema';
import { Problem } from '../../domain/problem';
import { KmsError, type EnvPubKey } from '../../drivers/kms';
import type { Context } from '../types';

export interface AppEnvKey {
  /** X25519, 64 hex. */
  public_key: string;
  /** The signature without a time in it, which is the one published clients check; 130 hex. */
  signature: string;
  /** The signature over `timestamp` (Unix seconds) too, so that it cannot be replayed; empty from old services. */
  signature_v1: string;
  timestamp: number;
}

/**
 * The key an app's environment is sealed to. Every signature the KMS gave must be the pinned key's, or nothing is
 * handed out: whoever swaps this key reads the secrets. @param app_id 40 hex, bare, `0x…` or `app_…`, in any case
 */
export async function envPubkey(
  ctx: Pick<Context, 'kms' | 'log' | 'signal'>,
  kms: Pick<KmsRow, 'id' | 'url' | 'slug' | 'k256_pubkey'>,
  app_id: string,
): Promise<AppEnvKey> {
  const id = app_id.toLowerCase().replace(/^(app_|0x)/, '');
  const pinned = kms.k256_pubkey;
  if (pinned === null)
    throw new Problem('HOST_REFUSED', {
      message: `The key management service “${kms.slug}” has no pinned root key, so its keys cannot be checked.`,
      suggestions: ['An administrator has to pin the root key of this key management service.'],
    });
  const key = await ask(ctx, kms, id);
  try {
    const { public_key, signature } = key;
    const common = { public_key, app_id: id, pinned_k256_pubkey: pinned };
    verifyEnvKey({ ...common, signature });
    if (key.signature_v1) verifyEnvKey({ ...common, signature: key.signature_v1, timestamp: key.timestamp });
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    ctx.log.error(
      { kms: kms.slug, app_id: id, reason: error.code, detail: error.message },
      'a KMS answered with a key whose signature is not to be trusted; it was withheld',
    );
    throw new Problem('HOST_REFUSED', {
      message: `The key that “${kms.slug}” gave is not signed by its pinned root key. It was withheld, nothing was encrypted to it.`,
      details: [{ field: 'signature', message: error.code }],
      suggestions: [
        'Do not send secrets. An administrator has to find out who answers in place of this service.',
      ],
    });
  }
  return {
    public_key: key.public_key.toLowerCase(),
    signature: key.signature.toLowerCase(),
    signature_v1: key.signature_v1.toLowerCase(),
    timestamp: key.timestamp,
  };
}

async function ask(
  ctx: Pick<Context, 'kms' | 'signal'>,
  kms: Pick<KmsRow, 'id' | 'url' | 'slug'>,
  app_id: string,
): Promise<EnvPubKey> {
  try {
    return await ctx.kms.get(kms).getAppEnvEncryptPubKey(app_id, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof KmsError)) throw error;
    throw new Problem(error.retryable ? 'HOST_UNREACHABLE' : 'HOST_REFUSED', {
      message: error.retryable
        ? `The key management service “${kms.slug}” does not answer.`
        : `The key management service “${kms.slug}” gave no key: ${error.host_text ?? error.kind.replace('_', ' ')}.`,
      cause: error,
    });
  }
}
