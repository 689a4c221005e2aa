import { settingsUpdater } from '../../core/admin/settingsRow';
import type { Handler } from '../../types';
import { billingSettingsRow } from './billingSettingsRow';

export const updateAdminBillingSettings: Handler<'updateAdminBillingSettings'> =
  settingsUpdater(billingSettingsRow);
