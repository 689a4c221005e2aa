import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { osImages } from '../../core/admin/resourcesFleet';

export const getAdminOsImage: Handler<'getAdminOsImage'> = readOf(osImages);
