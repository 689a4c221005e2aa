import { lockOperatorTemplate } from '../../../db/catalog/operatorTemplates';
import { removeRow } from '../../core/admin/resource';
import { templates } from '../../core/admin/resources';
import type { Handler } from '../../types';

export const deleteAdminTemplate: Handler<'deleteAdminTemplate'> = ({ path, ctx }) =>
  removeRow(ctx, templates, path.id, {
    kind: 'template',
    table: 'operator_templates',
    lock: lockOperatorTemplate,
    kept: ['name', 'version', 'source_url'],
  });
