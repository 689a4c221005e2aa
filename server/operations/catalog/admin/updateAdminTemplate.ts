import { createHash } from 'node:crypto';
import { findOperatorTemplate, lockOperatorTemplate } from '../../../db/catalog/operatorTemplates';
import { Problem } from '../../../domain/core/problem';
import { changeRow, missing } from '../../core/admin/resource';
import { templates } from '../../core/admin/resources';
import type { Handler } from '../../types';
import { checkedTemplate } from './adminTemplate';

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Files entered by hand replace those read from a URL, which is then dropped. */
export const updateAdminTemplate: Handler<'updateAdminTemplate'> = async ({ path, body, ctx }) => {
  const found = await findOperatorTemplate(ctx.db, path.id);
  if (!found) throw missing(templates, path.id);
  const { state, metadata = found.metadata, compose_file = found.compose_file } = body;
  const isTyped = metadata !== found.metadata || compose_file !== found.compose_file;
  return changeRow(ctx, templates, path.id, {
    kind: 'template',
    patch: {
      state,
      ...(isTyped ? { ...checkedTemplate(path.id, { metadata, compose_file }, null), source_url: null } : {}),
    },
    lock: lockOperatorTemplate,
    check: async (_trx, _changes, before) => {
      const sent = body.metadata !== undefined || body.compose_file !== undefined;
      // The files were validated against the version found before the lock.
      if (sent && before.updated_at.getTime() !== found.updated_at.getTime())
        throw new Problem('PRECONDITION_FAILED', {
          message: `“${before.name}” was changed while you were editing.`,
          suggestions: ['Reload it, review what changed, then reapply your change.'],
        });
    },
    write: (trx, changes) =>
      trx.updateTable('operator_templates').set(changes).where('id', '=', path.id).execute(),
    // The files are too long for the audit log.
    shown: (row) => ({ ...row, metadata: sha256(row.metadata), compose_file: sha256(row.compose_file) }),
  });
};
