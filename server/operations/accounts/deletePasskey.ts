import { deletePasskeyRow } from '../../db/accounts/passkeys';
import type { Handler } from '../types';
import { factorRemoved, lockCaller } from './factorChange';
import { noPasskey } from './updatePasskey';

export const deletePasskey: Handler<'deletePasskey'> = async ({ path, ctx }) => {
  await ctx.write(async ({ trx, audit }) => {
    const user = await lockCaller(ctx, trx);
    const row = await deletePasskeyRow(trx, user.id, path.passkey_id);
    if (!row) throw noPasskey();
    await factorRemoved(ctx, trx, user, { method: 'passkey', name: row.name });
    await audit({
      action: 'passkey.delete',
      target_kind: 'passkey',
      target_id: row.public_id,
      team_id: null,
      before: { name: row.name },
    });
  });
  return { status: 204 };
};
