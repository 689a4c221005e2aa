import { KmsError } from '../../../drivers/kms';
import type { Context } from '../../types';
import { invalid } from '../../core/admin/change';

export const KMS_NAMES = {
  kms_slug_key: { field: 'slug', message: 'A key management service with this name already exists.' },
};

/** An address that no KMS can have is an input error; one that doesn't respond may be right later. */
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
