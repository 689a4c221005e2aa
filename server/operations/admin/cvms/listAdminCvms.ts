import type { Handler } from '../../types';
import { listOf } from '../resource';
import { cvms } from '../resourcesCvms';

export const listAdminCvms: Handler<'listAdminCvms'> = listOf(cvms);
