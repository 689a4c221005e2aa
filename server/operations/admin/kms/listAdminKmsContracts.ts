import type { Handler } from '../../types';
import { listOf } from '../resource';
import { kmsContracts } from '../resourcesGpus';

export const listAdminKmsContracts: Handler<'listAdminKmsContracts'> = listOf(kmsContracts);
