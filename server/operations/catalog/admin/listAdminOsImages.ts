import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { osImages } from '../../core/admin/resourcesFleet';

export const listAdminOsImages: Handler<'listAdminOsImages'> = listOf(osImages);
