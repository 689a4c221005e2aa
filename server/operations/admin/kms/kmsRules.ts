import { KmsError } from '../../../drivers/kms';
import type { Context } from '../../types';
import { invalid } from '../change';

export const KMS_NAMES = {
  kms_slug_key: { field: 'slug', message: 'Another key management service has this name.' },
};

/** An address that no KMS can have is the person's mistake; one that does not answer may be right later. */
export function checkUrl(ctx: Pick<Context, 'kms'>, url: string): void {
  // Ids are positive: nobody's driver is replaced.
  try {
    ctx.kms.get({ id: -1, url });
  } catch (error) {
    if (!(error instanceof KmsError)) throw error;
    throw invalid('url', error.message.slice(error.message.indexOf(': ') + 2));
  } finally {
    ctx.kms.drop(-1);
  }
}
