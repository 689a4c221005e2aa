import { carriesLocalTeepod, lockNode } from '../../db/hosts/adminNodes';
import type { Handler } from '../types';
import { namingConflict } from '../core/admin/change';
import { invalid } from '../core/invalid';
import { NODE_NAMES } from './createAdminNode';
import { changeRow } from '../core/admin/resource';
import { nodes } from '../core/admin/resources';

export const updateAdminNode: Handler<'updateAdminNode'> = async ({ path, body, ctx }) =>
  namingConflict(NODE_NAMES, () =>
    changeRow(ctx, nodes, path.id, {
      kind: 'node',
      patch: body,
      lock: lockNode,
      async check(trx, { name }) {
        if (name !== undefined && (await carriesLocalTeepod(trx, path.id)))
          throw invalid(
            'name',
            "The built-in teepod's node can't be renamed: the teepod registers under this name.",
          );
      },
      write: (trx, changes) => trx.updateTable('nodes').set(changes).where('id', '=', path.id).execute(),
    }),
  );
