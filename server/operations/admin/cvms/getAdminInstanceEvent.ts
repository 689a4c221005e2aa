import type { Handler } from '../../types';
import { readOf } from '../resource';
import { instanceEvents } from '../resourcesCvms';

export const getAdminInstanceEvent: Handler<'getAdminInstanceEvent'> = readOf(instanceEvents);
