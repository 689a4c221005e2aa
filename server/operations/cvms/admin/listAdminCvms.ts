import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { cvms } from '../../core/admin/resourcesCvms';

export const listAdminCvms: Handler<'listAdminCvms'> = listOf(cvms);
