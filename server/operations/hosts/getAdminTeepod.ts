import type { Handler } from '../types';
import { readOf } from '../core/admin/resource';
import { teepods } from '../core/admin/resources';

export const getAdminTeepod: Handler<'getAdminTeepod'> = readOf(teepods);
