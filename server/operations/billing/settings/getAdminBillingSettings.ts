import { settingsReader } from '../../core/admin/settingsRow';
import type { Handler } from '../../types';
import { billingSettingsRow } from './billingSettingsRow';

export const getAdminBillingSettings: Handler<'getAdminBillingSettings'> = settingsReader(billingSettingsRow);
