import type { Handler } from '../../types';
import { listOf } from '../resource';
import { osImages } from '../resourcesFleet';

export const listAdminOsImages: Handler<'listAdminOsImages'> = listOf(osImages);
