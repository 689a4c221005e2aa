import { lockViewAs } from '../../../db/platform/adminViews';
import { Problem } from '../../../domain/core/problem';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { namingConflict } from '../../core/admin/change';
import { changeRow } from '../../core/admin/resource';
import { checkTexts } from '../../core/text';
import { views } from '../../core/admin/resourcesLists';
import { VIEW_NAMES } from './createAdminView';

export const updateAdminView: Handler<'updateAdminView'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['name']);
  return namingConflict(VIEW_NAMES, () =>
    changeRow(ctx, views, path.id, {
      kind: 'admin_view',
      patch: body,
      lock: lockViewAs(userOf(ctx).id),
      async check(_trx, _changes, { mine }) {
        if (!mine)
          throw new Problem('FORBIDDEN', {
            message: 'Only its owner can change a view. Save your own instead.',
          });
      },
      write: (trx, changes) =>
        trx.updateTable('admin_views').set(changes).where('id', '=', path.id).execute(),
    }),
  );
};
