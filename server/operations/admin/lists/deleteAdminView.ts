import { lockView } from '../../../db/adminViews';
import { Problem } from '../../../domain/problem';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { views } from '../resourcesLists';

/** One's own; what others share with everybody, administrators may take away too. */
export const deleteAdminView: Handler<'deleteAdminView'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const person = personOf(ctx);
    const view = await lockView(trx, path.id);
    const mine = view?.user_id === person.id;
    if (!view || !(mine || view.shared)) throw missing(views, path.id);
    if (!mine && person.platform_role !== 'admin')
      throw new Problem('FORBIDDEN', { message: 'Only who saved a view, or an administrator, removes it.' });
    await trx.deleteFrom('admin_views').where('id', '=', view.id).execute();
    await audit({
      action: 'admin_view.delete',
      target_kind: 'admin_view',
      target_id: String(view.id),
      team_id: null,
      before: keysOf(view, ['resource', 'name', 'query', 'shared']),
    });
    return { status: 204 } as const;
  });
