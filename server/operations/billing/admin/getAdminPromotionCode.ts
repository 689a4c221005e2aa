import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { promotionCodes } from '../../core/admin/resourcesBilling';

export const getAdminPromotionCode: Handler<'getAdminPromotionCode'> = readOf(promotionCodes);
