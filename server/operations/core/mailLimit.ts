import { createHash } from 'node:crypto';
import type { Tx } from '../../db/core/client';
import { countMail } from '../../db/notifications/mailLimits';

/**
 * Returns whether one more mail of this kind may go to the address this hour. The caller's reply must be the
 * same either way. Counted per kind, so that registering can't use up another user's reset links.
 */
export function mayMail(
  trx: Tx,
  kind: 'register' | 'verify' | 'reset' | 'email_change',
  email: string,
): Promise<boolean> {
  const address = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return countMail(trx, `${kind}:${address}`);
}
