import { notifyReported } from '../../db/notifications/abuseNotices';
import { insertAbuseReport } from '../../db/public/abuseReports';
import { checkText } from '../core/text';
import type { Handler } from '../types';
import { publishedApp } from './publicApp';
import { countReport } from './targets';

/** Answers the same whether the report is stored or enough are open already. */
export const reportPublicApp: Handler<'reportPublicApp'> = async ({ path, body, ctx }) => {
  checkText(body.text, 'text');
  const { app } = await publishedApp(ctx, path.app_id);
  await countReport(ctx.ip);
  await ctx.write(async ({ trx, audit }) => {
    const id = await insertAbuseReport(trx, {
      app_id: app.id,
      kind: body.kind,
      text: body.text,
      email: body.email ?? null,
    });
    if (id !== null)
      await notifyReported(trx, { app_id: app.id, app_name: app.name, kind: body.kind }, new Date());
    await audit({
      action: 'abuse_report.create',
      target_kind: 'app',
      target_id: app.app_id,
      after: { kind: body.kind, is_stored: id !== null },
    });
  });
  return { status: 204 };
};
