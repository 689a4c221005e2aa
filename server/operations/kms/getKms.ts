import type { KmsContract, KmsInfo } from '../../../generated/api/types.gen';
import { findKms } from '../../db/kms/kms';
import { kmsGroupOf } from '../../db/kms/kmsContracts';
import type { KmsRow } from '../../db/kms/kmsTable';
import { Problem } from '../../domain/core/problem';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { kmsContractOut } from '../../domain/kms/kmsContractResponse';
import { KmsError } from '../../drivers/kms';
import type { Context, Handler } from '../types';

/** Clients wait for the answer before they encrypt. */
const ANSWER_MS = 2_000;

export const getKms: Handler<'getKms'> = async ({ path, ctx }) => {
  const kms = await presenting(ctx, await kmsOfPath(ctx, path.kms));
  const group = await kmsGroupOf(ctx.db, kms.id);
  const body: KmsContract & { service: KmsInfo } = {
    ...kmsContractOut(group, group.label, kms),
    // Older versions show the service itself.
    service: kmsOut(kms),
  };
  return { status: 200, body };
};

/**
 * Returns a KMS with the root key that it presents now: with two pinned, it may have changed to the other one since the
 * last check. Unchanged if it doesn't respond.
 */
async function presenting(ctx: Context, kms: KmsRow): Promise<KmsRow> {
  if (kms.next_k256_pubkey === null) return kms;
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const { k256_pubkey } = await ctx.kms.get(kms).getMeta({ signal });
    return { ...kms, seen_k256_pubkey: k256_pubkey };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof KmsError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return kms;
    throw error;
  }
}

/** Finds a KMS by any identifier, or the oldest KMS of a named contract. */
export async function kmsOfPath(ctx: Context, name: string): Promise<KmsRow> {
  const kms = await findKms(ctx.db, name);
  if (!kms) throw new Problem('NOT_FOUND', { message: `There is no key management service “${name}”.` });
  return kms;
}
