import { findOperatorTemplate, lockOperatorTemplate } from '../../../db/catalog/operatorTemplates';
import { adminTemplateOut } from '../../../domain/catalog/adminTemplateResponse';
import { Problem } from '../../../domain/core/problem';
import { nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { templates } from '../../core/admin/resources';
import type { Handler } from '../../types';
import { checkedTemplate, readFromUrl } from './adminTemplate';

/** Rereads a template from its URL. */
export const reloadAdminTemplate: Handler<'reloadAdminTemplate'> = async ({ path, ctx }) => {
  const found = await findOperatorTemplate(ctx.db, path.id);
  if (!found) throw missing(templates, path.id);
  if (found.source_url === null)
    throw new Problem('CONFLICT', {
      message: "The template's files were entered directly, so there is no address to reload them from.",
    });
  const { source_url, ...texts } = await readFromUrl(ctx, found.source_url);
  const fields = checkedTemplate(path.id, texts, source_url);
  const body = await ctx.write(async ({ trx, audit }) => {
    const before = await lockOperatorTemplate(trx, path.id);
    if (!before) throw missing(templates, path.id);
    if (before.source_url !== found.source_url)
      throw new Problem('CONFLICT', { message: 'The template was changed during the reload.' });
    const row = await trx
      .updateTable('operator_templates')
      .set({ ...fields, updated_at: nextVersion(before) })
      .where('id', '=', path.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({
      action: 'template.reload',
      target_kind: 'template',
      target_id: path.id,
      before: { name: before.name, version: before.version },
      after: { name: row.name, version: row.version },
    });
    return adminTemplateOut(row);
  });
  return { status: 200, body };
};
