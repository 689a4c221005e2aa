import { auditedLogLevel, changeLogLevel } from '../../../db/platform/logLevel';
import type { Handler } from '../../types';
import { logLevelOut } from './logLevelOut';

export const resetAdminLogLevel: Handler<'resetAdminLogLevel'> = async ({ ctx }) =>
  ctx.write(async ({ trx, audit, unchanged }) => {
    const reply = { status: 200, body: logLevelOut(ctx.config, null) } as const;
    const { before } = await changeLogLevel(trx, null);
    if (before === null) return unchanged(reply);
    await audit({
      action: 'log_level.reset',
      target_kind: 'platform_settings',
      target_id: 'log_level',
      before: auditedLogLevel(before),
      after: null,
    });
    return reply;
  });
