import type { Handler } from '../../types';
import { readOf } from '../resource';
import { osImages } from '../resourcesFleet';

export const getAdminOsImage: Handler<'getAdminOsImage'> = readOf(osImages);
