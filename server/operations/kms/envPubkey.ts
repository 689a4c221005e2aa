import { KmsKeyError, verifyEnvKey } from '../../../console/lib/secrets/kmsKey';
import { notePresented } from '../../db/kms/kms';
import type { KmsRow } from '../../db/kms/kmsTable';
import { withoutHostPaths } from '../../domain/hosts/hostText';
import { Problem } from '../../domain/core/problem';
import { pinsOf } from '../../domain/kms/kmsKeys';
import { KmsError, type EnvPubKey } from '../../drivers/kms';
import type { Context } from '../types';

export interface AppEnvKey {
  /** X25519, 64 hex. */
  public_key: string;
  /** The signature without a timestamp, which published clients check; 130 hex. */
  signature: string;
  /**
   * The signature that also covers `timestamp` (Unix seconds), to prevent replay; empty from old services.
   */
  signature_v1: string;
  timestamp: number;
  /** The pinned root key that signed it. */
  signer: string;
}

type PinnedKms = Pick<
  KmsRow,
  'id' | 'url' | 'slug' | 'k256_pubkey' | 'next_k256_pubkey' | 'seen_k256_pubkey'
>;

/**
 * Returns the key an app's environment is sealed to. Every signature from the KMS must be by a pinned key, both by the
 * same, or nothing is returned: swapping this key would expose the secrets. @param app_id 40 hex, bare, `0x…` or
 * `app_…`, in any case
 */
export async function envPubkey(
  ctx: Pick<Context, 'db' | 'kms' | 'log' | 'signal'>,
  kms: PinnedKms,
  app_id: string,
): Promise<AppEnvKey> {
  const id = app_id.toLowerCase().replace(/^(app_|0x)/, '');
  const pins = pinsOf(kms);
  if (pins.length === 0)
    throw new Problem('HOST_REFUSED', {
      message: `The key management service “${kms.slug}” has no pinned root key, so its keys cannot be checked.`,
      suggestions: ["Ask an administrator to pin this key management service's root key."],
    });
  const key = await ask(ctx, kms, id);
  let signer: string;
  try {
    const { public_key, signature } = key;
    const common = { public_key, app_id: id };
    signer = verifyEnvKey({ ...common, signature, pinned_k256_pubkey: pins });
    if (key.signature_v1)
      verifyEnvKey({
        ...common,
        signature: key.signature_v1,
        timestamp: key.timestamp,
        pinned_k256_pubkey: signer,
      });
  } catch (error) {
    if (!(error instanceof KmsKeyError)) throw error;
    ctx.log.error(
      { kms: kms.slug, app_id: id, reason: error.code, detail: error.message },
      'withheld a KMS key: its signature is not trusted',
    );
    throw new Problem('HOST_REFUSED', {
      message: `The key from “${kms.slug}” isn't signed by ${pins.length > 1 ? 'either of its pinned root keys' : 'its pinned root key'}. It was rejected, and nothing was encrypted to it.`,
      details: [{ field: 'signature', message: error.code }],
      suggestions: [
        "Don't send secrets. Ask an administrator to find out what is responding in place of this service.",
      ],
    });
  }
  // It has changed to its other pinned key since it was checked.
  if (kms.next_k256_pubkey !== null && signer !== kms.seen_k256_pubkey)
    await notePresented(ctx.db, kms.id, signer);
  return {
    public_key: key.public_key.toLowerCase(),
    signature: key.signature.toLowerCase(),
    signature_v1: key.signature_v1.toLowerCase(),
    timestamp: key.timestamp,
    signer,
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
        ? `The key management service “${kms.slug}” isn't responding.`
        : `The key management service “${kms.slug}” returned no key: ${withoutHostPaths(error.host_text ?? error.kind.replace('_', ' '))}.`,
      cause: error,
    });
  }
}
