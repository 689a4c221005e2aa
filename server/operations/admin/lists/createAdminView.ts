import { adminOne } from '../../../db/adminList';
import { countViews, insertView } from '../../../db/adminViews';
import { Problem } from '../../../domain/problem';
import { adminViewOut } from '../../../domain/wire/adminLists';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { etagOf, invalid, namingConflict } from '../change';
import { missing, sourceOf } from '../resource';
import { views } from '../resourcesLists';
import { listableResources } from './targets';

/** Of one person. */
const MOST_VIEWS = 100;

export const VIEW_NAMES = {
  admin_views_name: { field: 'name', message: 'You have a view of this list by this name.' },
};

export const createAdminView: Handler<'createAdminView'> = async ({ body, ctx }) => {
  if (!listableResources(ctx).includes(body.resource))
    throw invalid('resource', `There is no list called ${body.resource} that you may read.`);
  const { id: user_id } = personOf(ctx);
  return namingConflict(VIEW_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      if ((await countViews(trx, user_id)) >= MOST_VIEWS)
        throw new Problem('CONFLICT', {
          message: `You have ${MOST_VIEWS} views, as many as a person may.`,
          suggestions: ['Remove one you no longer use.'],
        });
      const id = await insertView(trx, { ...body, user_id });
      await audit({
        action: 'admin_view.create',
        target_kind: 'admin_view',
        target_id: String(id),
        team_id: null,
        after: { ...body },
      });
      const view = await adminOne(trx, sourceOf(views, ctx), id);
      if (!view) throw missing(views, id);
      return {
        status: 201 as const,
        headers: { ETag: etagOf(views.name, id, view.updated_at) },
        body: adminViewOut(view),
      };
    }),
  );
};
