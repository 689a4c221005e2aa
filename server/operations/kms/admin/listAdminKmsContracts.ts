import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';

export const listAdminKmsContracts: Handler<'listAdminKmsContracts'> = listOf(kmsContracts);
