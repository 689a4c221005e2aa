import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { templates } from '../../core/admin/resources';

export const getAdminTemplate: Handler<'getAdminTemplate'> = readOf(templates);
