import type { AdminOutboxMail } from '../../../generated/api/types.gen';
import { adminOne } from '../../db/core/adminList';
import { adminOutboxMail, type AdminOutboxRow } from '../../db/notifications/adminOutbox';
import type { Tx } from '../../db/core/client';
import { Problem } from '../../domain/core/problem';
import { adminOutboxMailOut } from '../../domain/hosts/adminHostResponse';
import { openContent } from '../../jobs/notifications/mailOutbox';
import type { Context } from '../types';

/** Returns one email with its contents, as far as they still exist. @throws Problem NOT_FOUND */
export async function readOutboxMail(
  { seal }: Context,
  trx: Tx,
  id: number,
): Promise<{ row: AdminOutboxRow; mail: AdminOutboxMail }> {
  const row = await adminOne(trx, adminOutboxMail, id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no email ${id}.` });
  return { row, mail: adminOutboxMailOut(row, textOf(seal, row)) };
}

function textOf(seal: Context['seal'], row: AdminOutboxRow): string | null {
  try {
    return openContent(seal, row.sealed_content)?.text ?? null;
  } catch {
    return null; // sealed with another secret: its list entry still names the recipient
  }
}
