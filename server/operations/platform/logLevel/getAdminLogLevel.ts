import { storedLogLevel } from '../../../db/platform/logLevel';
import type { Handler } from '../../types';
import { logLevelOut } from './logLevelOut';

export const getAdminLogLevel: Handler<'getAdminLogLevel'> = async ({ ctx }) => ({
  status: 200,
  body: logLevelOut(ctx.config, await storedLogLevel(ctx.db)),
});
