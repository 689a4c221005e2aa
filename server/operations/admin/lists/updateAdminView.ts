import { lockViewAs } from '../../../db/adminViews';
import { Problem } from '../../../domain/problem';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { namingConflict } from '../change';
import { changeRow } from '../resource';
import { views } from '../resourcesLists';
import { VIEW_NAMES } from './createAdminView';

export const updateAdminView: Handler<'updateAdminView'> = async ({ path, body, ctx }) =>
  namingConflict(VIEW_NAMES, () =>
    changeRow(ctx, views, path.id, {
      kind: 'admin_view',
      patch: body,
      lock: lockViewAs(personOf(ctx).id),
      async check(_trx, _changes, { mine }) {
        if (!mine)
          throw new Problem('FORBIDDEN', {
            message: 'Only who saved a view changes it. Save one of your own.',
          });
      },
      write: (trx, changes) =>
        trx.updateTable('admin_views').set(changes).where('id', '=', path.id).execute(),
    }),
  );
