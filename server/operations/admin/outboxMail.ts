import type { AdminOutboxMail } from '../../../generated/api/types.gen';
import { adminOne } from '../../db/adminList';
import { adminOutboxMail, type AdminOutboxRow } from '../../db/adminOutbox';
import type { Tx } from '../../db/client';
import { Problem } from '../../domain/problem';
import { adminOutboxMailOut } from '../../domain/wire/admin';
import { openContent } from '../../jobs/mailOutbox';
import type { Context } from '../types';

/** One mail with what it says, as far as that is still there. @throws Problem NOT_FOUND */
export async function readOutboxMail(
  { seal }: Context,
  trx: Tx,
  id: number,
): Promise<{ row: AdminOutboxRow; mail: AdminOutboxMail }> {
  const row = await adminOne(trx, adminOutboxMail, id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no mail ${id}.` });
  return { row, mail: adminOutboxMailOut(row, textOf(seal, row)) };
}

function textOf(seal: Context['seal'], row: AdminOutboxRow): string | null {
  try {
    return openContent(seal, row.sealed_content)?.text ?? null;
  } catch {
    return null; // sealed with another secret: its list entry still says whom it was for
  }
}
