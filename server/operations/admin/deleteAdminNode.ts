import { lockNode, teepodsOfNode } from '../../db/adminNodes';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { keysOf, someOf } from './change';

export const deleteAdminNode: Handler<'deleteAdminNode'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const node = await lockNode(trx, path.id);
    if (!node) throw new Problem('NOT_FOUND', { message: `There is no node ${path.id}.` });
    const { names, total } = await teepodsOfNode(trx, node.id);
    if (total > 0)
      throw new Problem('IN_USE', {
        message: `${node.name} carries ${total === 1 ? 'the teepod' : `${total} teepods:`} ${someOf(names, total)}.`,
        suggestions: ['Remove these teepods or move them to another node first.'],
      });
    await trx.deleteFrom('nodes').where('id', '=', node.id).execute();
    await audit({
      action: 'node.delete',
      target_kind: 'node',
      target_id: String(node.id),
      before: keysOf(node, ['name', 'region', 'state', 'fmspc', 'device_id', 'ppid', 'notes']),
    });
    return { status: 204 } as const;
  });
