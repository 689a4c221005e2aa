import type { Tx } from '../../../db/core/client';
import { kmsUse } from '../../../db/kms/adminKms';
import { Problem } from '../../../domain/core/problem';
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

/** The built-in KMS gets a new webhook URL at every start. */
export async function refuseLocal(trx: Tx, id: number): Promise<void> {
  if ((await kmsUse(trx, id)).local)
    throw new Problem('IN_USE', {
      message: 'The built-in teepod sets the webhook URL of its KMS itself.',
      suggestions: ['Create webhook URLs for other key management services.'],
    });
}
