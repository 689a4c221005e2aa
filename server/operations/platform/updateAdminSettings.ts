import { settingsUpdater } from '../core/admin/settingsRow';
import type { Handler } from '../types';
import { platformSettingsRow } from './platformSettingsRow';

export const updateAdminSettings: Handler<'updateAdminSettings'> = settingsUpdater(platformSettingsRow);
