import { lockNode, teepodsOfNode } from '../../db/hosts/adminNodes';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { someOf } from '../core/admin/change';
import { removeRow } from '../core/admin/resource';
import { nodes } from '../core/admin/resources';

export const deleteAdminNode: Handler<'deleteAdminNode'> = ({ path, ctx }) =>
  removeRow(ctx, nodes, path.id, {
    kind: 'node',
    table: 'nodes',
    lock: lockNode,
    async check(trx, node) {
      const { names, total } = await teepodsOfNode(trx, node.id);
      if (total > 0)
        throw new Problem('IN_USE', {
          message: `${node.name} runs ${total === 1 ? 'the teepod' : `${total} teepods:`} ${someOf(names, total)}.`,
          suggestions: ['Remove these teepods or move them to another node first.'],
        });
    },
    kept: ['name', 'region', 'state', 'fmspc', 'device_id', 'ppid', 'notes'],
  });
