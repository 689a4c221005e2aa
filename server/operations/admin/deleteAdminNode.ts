import { lockNode, teepodsOfNode } from '../../db/adminNodes';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { someOf } from './change';
import { removeRow } from './resource';
import { nodes } from './resources';

export const deleteAdminNode: Handler<'deleteAdminNode'> = ({ path, ctx }) =>
  removeRow(ctx, nodes, path.id, {
    kind: 'node',
    table: 'nodes',
    lock: lockNode,
    async check(trx, node) {
      const { names, total } = await teepodsOfNode(trx, node.id);
      if (total > 0)
        throw new Problem('IN_USE', {
          message: `${node.name} carries ${total === 1 ? 'the teepod' : `${total} teepods:`} ${someOf(names, total)}.`,
          suggestions: ['Remove these teepods or move them to another node first.'],
        });
    },
    kept: ['name', 'region', 'state', 'fmspc', 'device_id', 'ppid', 'notes'],
  });
