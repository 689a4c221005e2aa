import { auditedLogLevel, changeLogLevel } from '../../../db/platform/logLevel';
import { LOG_LEVEL_MINUTES } from '../../../domain/platform/logLevel';
import type { Handler } from '../../types';
import { logLevelOut } from './logLevelOut';

export const setAdminLogLevel: Handler<'setAdminLogLevel'> = async ({ body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { level, minutes = LOG_LEVEL_MINUTES.default } = body;
    const { before, after } = await changeLogLevel(trx, { level, minutes });
    await audit({
      action: 'log_level.set',
      target_kind: 'platform_settings',
      target_id: 'log_level',
      before: auditedLogLevel(before),
      after: auditedLogLevel(after),
    });
    return { status: 200, body: logLevelOut(ctx.config, after) } as const;
  });
