import type { Tx } from '../../../db/core/client';
import { PinError, readPinKey } from '../../../../console/lib/secrets/kmsPins';
import { kmsUse } from '../../../db/kms/adminKms';
import { Problem } from '../../../domain/core/problem';
import type { KmsPins } from '../../../domain/kms/kmsKeys';
import { KmsError } from '../../../drivers/kms';
import type { Context } from '../../types';
import { invalid } from '../../core/invalid';

export const KMS_NAMES = {
  kms_slug_key: { field: 'slug', message: 'A key management service with this name already exists.' },
};

/** An address that no KMS can have is an input error; one that doesn't respond may do so later. */
export function checkUrl(ctx: Pick<Context, 'kms'>, url: string): void {
  // Regular ids are positive, so no driver is replaced.
  try {
    ctx.kms.get({ id: -1, url });
  } catch (error) {
    if (!(error instanceof KmsError)) throw error;
    throw invalid('url', error.message.slice(error.message.indexOf(': ') + 2));
  } finally {
    ctx.kms.drop(-1);
  }
}

/** Rejects a text that no signature could be checked with. */
export function checkRootKey(field: keyof KmsPins, key: string | null | undefined): void {
  if (key === null || key === undefined) return;
  try {
    readPinKey('env', key);
  } catch (error) {
    if (!(error instanceof PinError)) throw error;
    throw invalid(field, "This isn't a secp256k1 public key: no point of the curve has it.");
  }
}

/** Checks a change of pinned root keys. A KMS that had a pin keeps one: without any, nothing can be encrypted to it. */
export function checkPins(before: KmsPins, after: KmsPins): void {
  if (before.k256_pubkey !== null && after.k256_pubkey === null)
    throw invalid(
      'k256_pubkey',
      before.next_k256_pubkey === null
        ? "The last pinned root key can't be removed: nothing could be encrypted to this KMS. Replace it, or retire the KMS."
        : 'Choose “Retire old root key”, which keeps the next one.',
    );
  if (after.next_k256_pubkey === null) return;
  if (after.k256_pubkey === null) throw invalid('next_k256_pubkey', 'Pin the current root key first.');
  if (after.next_k256_pubkey === after.k256_pubkey)
    throw invalid('next_k256_pubkey', 'This root key is already pinned.');
}

/** The built-in KMS gets a new webhook URL at every start. */
export async function refuseLocal(trx: Tx, id: number): Promise<void> {
  if ((await kmsUse(trx, id)).local)
    throw new Problem('IN_USE', {
      message: 'The built-in teepod sets the webhook URL of its KMS itself.',
      suggestions: ['Create webhook URLs for other key management services.'],
    });
}
