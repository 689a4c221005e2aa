import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';

export const listAdminKms: Handler<'listAdminKms'> = listOf(kms);
