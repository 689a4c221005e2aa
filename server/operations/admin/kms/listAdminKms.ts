import type { Handler } from '../../types';
import { listOf } from '../resource';
import { kms } from '../resourcesGpus';

export const listAdminKms: Handler<'listAdminKms'> = listOf(kms);
