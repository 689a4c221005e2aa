import type { AdminLogLevel } from '../../../../generated/api/types.gen';
import type { Config } from '../../../config';
import type { StoredLogLevel } from '../../../db/platform/logLevel';

export const logLevelOut = (config: Config, stored: StoredLogLevel | null): AdminLogLevel => ({
  level: stored?.level ?? null,
  until: stored?.until.toISOString() ?? null,
  configured: config.logLevel,
});
