import { newestCvmOf } from '../../db/accounts/staffReads';
import { findRevision } from '../../db/apps/revisions';
import { Problem } from '../../domain/core/problem';
import { toRevisionDetail } from '../../domain/apps/revisionResponse';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';
import { appOf } from './appId';

export const getAppRevision: Handler<'getAppRevision'> = async ({ path, query, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const [found, kms] = await Promise.all([
    findRevision(ctx.db, app.id, path.revision_id),
    app.kms_id === null
      ? undefined
      : ctx.db.selectFrom('kms').selectAll().where('id', '=', app.kms_id).executeTakeFirst(),
  ]);
  if (!found) throw new Problem('NOT_FOUND', { message: 'Revision not found for this app.' });
  await loadFacts(ctx, found.row);
  const cvm = await newestCvmOf(ctx.db, app.id);
  if (cvm) await noteRead(ctx, cvm, 'compose');
  return {
    status: 200,
    body: toRevisionDetail(found, {
      app_id: app.app_id,
      team: teamOf(ctx),
      kms: kms ?? null,
      raw: query.raw_compose_file ?? false,
    }),
  };
};
