import type { Handler } from '../types';
import { readOf } from './resource';
import { teepods } from './resources';

export const getAdminTeepod: Handler<'getAdminTeepod'> = readOf(teepods);
