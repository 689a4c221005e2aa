import { listSshKeysOf } from '../../../db/accounts/sshKeys';
import { sshKeyOut } from '../../../domain/accounts/sshKeyResponse';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listSshKeys: Handler<'listSshKeys'> = async ({ ctx }) => {
  const user = userOf(ctx);
  const rows = await listSshKeysOf(ctx.db, user.id);
  return { status: 200, body: rows.map((row) => sshKeyOut(row, user.public_id)) };
};
