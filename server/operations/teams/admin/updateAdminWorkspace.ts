import { lockWorkspace } from '../../../db/teams/adminWorkspaces';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { changeRow } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';

export const updateAdminWorkspace: Handler<'updateAdminWorkspace'> = ({ path, body, ctx }) =>
  changeRow(ctx, workspaces, path.id, {
    kind: 'team',
    team_id: path.id,
    patch: body,
    lock: lockWorkspace,
    async check(_trx, _changes, { name, deleted_at }) {
      if (deleted_at !== null) throw new Problem('CONFLICT', { message: `${name} is deleted.` });
    },
    write: (trx, changes) => trx.updateTable('teams').set(changes).where('id', '=', path.id).execute(),
  });
