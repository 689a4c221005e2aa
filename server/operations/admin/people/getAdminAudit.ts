import type { Handler } from '../../types';
import { readOf } from '../resource';
import { audit } from '../resourcesPeople';

export const getAdminAudit: Handler<'getAdminAudit'> = readOf(audit);
