import type { Handler } from '../../types';
import { listOf } from '../resource';
import { members } from '../resourcesPeople';

export const listAdminMembers: Handler<'listAdminMembers'> = listOf(members);
