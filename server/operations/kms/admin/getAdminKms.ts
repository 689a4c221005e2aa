import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { kms } from '../../core/admin/resourcesGpus';

export const getAdminKms: Handler<'getAdminKms'> = readOf(kms);
