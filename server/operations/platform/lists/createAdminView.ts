import { adminOne } from '../../../db/core/adminList';
import { countViews, insertView } from '../../../db/platform/adminViews';
import { Problem } from '../../../domain/core/problem';
import { adminViewOut } from '../../../domain/platform/adminListResponse';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { etagOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { checkTexts } from '../../core/text';
import { missing, sourceOf } from '../../core/admin/resource';
import { views } from '../../core/admin/resourcesLists';
import { listableResources } from './targets';

/** Limit per user. */
const MAX_VIEWS = 100;

export const VIEW_NAMES = {
  admin_views_name: { field: 'name', message: 'You already have a view of this list with this name.' },
};

export const createAdminView: Handler<'createAdminView'> = async ({ body, ctx }) => {
  checkTexts(body, ['name']);
  if (!listableResources(ctx).includes(body.resource))
    throw invalid('resource', `You don't have access to a list named ${body.resource}.`);
  const { id: user_id } = userOf(ctx);
  return namingConflict(VIEW_NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      if ((await countViews(trx, user_id)) >= MAX_VIEWS)
        throw new Problem('CONFLICT', {
          message: `You have reached the limit of ${MAX_VIEWS} views.`,
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
