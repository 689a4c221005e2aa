import { dropExpiredProvisions, lockTeepod, teepodUse, type TeepodUse } from '../../db/hosts/adminTeepods';
import { endSilence } from '../../db/notifications/notificationTroubles';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { someOf } from '../core/admin/change';
import { removeRow } from '../core/admin/resource';
import { teepods } from '../core/admin/resources';

export const deleteAdminTeepod: Handler<'deleteAdminTeepod'> = async ({ path, ctx }) => {
  const reply = await removeRow(ctx, teepods, path.id, {
    kind: 'teepod',
    table: 'teepods',
    lock: lockTeepod,
    async check(trx, teepod) {
      if (teepod.kind === 'local')
        throw new Problem('IN_USE', {
          message: 'The built-in teepod is part of this server.',
          suggestions: ['Set its state to cordoned, or start the server without a local teepod.'],
        });
      await dropExpiredProvisions(trx, teepod.id);
      refuseWhileUsed(teepod.name, await teepodUse(trx, teepod.id));
      await endSilence(trx, teepod, 'removed');
    },
    kept: ['name', 'node_id', 'kind', 'url', 'credential_kind', 'state'],
  });
  ctx.vmm.drop(path.id);
  return reply;
};

function refuseWhileUsed(name: string, use: TeepodUse): void {
  if (use.cvm_total > 0)
    throw new Problem('IN_USE', {
      message: `${name} hosts ${use.cvm_total === 1 ? 'the CVM' : `${use.cvm_total} CVMs:`} ${someOf(use.cvms, use.cvm_total)}.`,
      suggestions: ['Set its state to draining, and delete or move its CVMs first.'],
    });
  if (use.recycled > 0)
    throw new Problem('IN_USE', {
      message: `${name} has the disks of ${use.recycled === 1 ? 'one CVM' : `${use.recycled} CVMs`} in the recycle bin.`,
      suggestions: ['Keep the host running until their teams restore or destroy them.'],
    });
  if (use.past > 0)
    throw new Problem('IN_USE', {
      message: `The history of ${use.past === 1 ? 'one deleted CVM' : `${use.past} deleted CVMs`} refers to ${name}.`,
      suggestions: ['Set its state to offline and unlist it. Its history stays available.'],
    });
  if (use.provisions > 0)
    throw new Problem('IN_USE', {
      message: `${use.provisions === 1 ? 'A deployment is' : `${use.provisions} deployments are`} being prepared on ${name}.`,
      suggestions: ['Set its state to cordoned and wait 15 minutes for its reservations to expire.'],
    });
}
