import { removeSshKey } from '../../../db/accounts/sshKeys';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const deleteSshKey: Handler<'deleteSshKey'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await removeSshKey(trx, userOf(ctx).id, path.key_id);
    if (!row) throw new Problem('NOT_FOUND', { message: 'You have no SSH key with this id.' });
    await audit({
      action: 'ssh_key.delete',
      target_kind: 'ssh_key',
      target_id: row.public_id,
      team_id: null,
      before: { name: row.name, fingerprint: row.fingerprint },
    });
    return { status: 204 } as const;
  });
