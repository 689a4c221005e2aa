import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { kmsContracts } from '../../core/admin/resourcesGpus';

export const getAdminKmsContract: Handler<'getAdminKmsContract'> = readOf(kmsContracts);
