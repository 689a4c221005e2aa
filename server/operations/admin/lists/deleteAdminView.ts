import { lockView } from '../../../db/adminViews';
import { Problem } from '../../../domain/problem';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { missing, removeRow } from '../resource';
import { views } from '../resourcesLists';

/** One's own; what others share with everybody, administrators may take away too. */
export const deleteAdminView: Handler<'deleteAdminView'> = ({ path, ctx }) =>
  removeRow(ctx, views, path.id, {
    kind: 'admin_view',
    table: 'admin_views',
    lock: lockView,
    check(_trx, view) {
      const person = personOf(ctx);
      const mine = view.user_id === person.id;
      if (!mine && !view.shared) throw missing(views, path.id);
      if (!mine && person.platform_role !== 'admin')
        throw new Problem('FORBIDDEN', {
          message: 'Only who saved a view, or an administrator, removes it.',
        });
    },
    kept: ['resource', 'name', 'query', 'shared'],
    team_id: null,
  });
