import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { templateList } from '../../core/admin/resources';

export const listAdminTemplates: Handler<'listAdminTemplates'> = listOf(templateList);
