import { lockView } from '../../../db/platform/adminViews';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { missing, removeRow } from '../../core/admin/resource';
import { views } from '../../core/admin/resourcesLists';

/** Deletes one's own view; administrators may also delete shared ones. */
export const deleteAdminView: Handler<'deleteAdminView'> = ({ path, ctx }) =>
  removeRow(ctx, views, path.id, {
    kind: 'admin_view',
    table: 'admin_views',
    lock: lockView,
    check(_trx, view) {
      const user = userOf(ctx);
      const mine = view.user_id === user.id;
      if (!mine && !view.shared) throw missing(views, path.id);
      if (!mine && user.platform_role !== 'admin')
        throw new Problem('FORBIDDEN', {
          message: 'Only its owner or an administrator can remove a view.',
        });
    },
    kept: ['resource', 'name', 'query', 'shared'],
    team_id: null,
  });
