import { createHash } from 'node:crypto';
import type { Tx } from '../../db/client';
import { countMail } from '../../db/mailLimits';

/**
 * Whether one more mail of this kind may go to the address this hour. Who asks for it must not be told: the answer to
 * them is the same. Counted per kind, so that nobody can use up the reset links of another person by registering.
 */
export function mayMail(
  trx: Tx,
  kind: 'register' | 'verify' | 'reset' | 'email_change',
  email: string,
): Promise<boolean> {
  const address = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return countMail(trx, `${kind}:${address}`);
}
