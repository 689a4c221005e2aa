import { listSshKeysOf } from '../../db/sshKeys';
import { sshKeyOut } from '../../domain/wire/sshKey';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const listSshKeys: Handler<'listSshKeys'> = async ({ ctx }) => {
  const user = personOf(ctx);
  const rows = await listSshKeysOf(ctx.db, user.id);
  return { status: 200, body: rows.map((row) => sshKeyOut(row, user.public_id)) };
};
