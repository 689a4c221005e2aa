import type { Handler } from '../../types';
import { readOf } from '../resource';
import { kmsContracts } from '../resourcesGpus';

export const getAdminKmsContract: Handler<'getAdminKmsContract'> = readOf(kmsContracts);
