import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { templates } from '../../core/admin/resources';

export const listAdminTemplates: Handler<'listAdminTemplates'> = listOf(templates);
