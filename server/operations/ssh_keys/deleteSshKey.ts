import { removeSshKey } from '../../db/sshKeys';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const deleteSshKey: Handler<'deleteSshKey'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await removeSshKey(trx, personOf(ctx).id, path.key_id);
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
