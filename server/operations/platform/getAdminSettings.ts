import { settingsReader } from '../core/admin/settingsRow';
import type { Handler } from '../types';
import { platformSettingsRow } from './platformSettingsRow';

export const getAdminSettings: Handler<'getAdminSettings'> = settingsReader(platformSettingsRow);
