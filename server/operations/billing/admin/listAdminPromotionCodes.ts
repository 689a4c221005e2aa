import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { promotionCodes } from '../../core/admin/resourcesBilling';

export const listAdminPromotionCodes: Handler<'listAdminPromotionCodes'> = listOf(promotionCodes);
