import type { Handler } from '../../types';
import { readOf } from '../resource';
import { kms } from '../resourcesGpus';

export const getAdminKms: Handler<'getAdminKms'> = readOf(kms);
