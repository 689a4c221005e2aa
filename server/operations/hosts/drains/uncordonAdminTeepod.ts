import { isAllowed, teepodActions } from '../../../../console/lib/hosts/allowedActions';
import { liveDrain, stoppedByDrain } from '../../../db/hosts/drains';
import { beginOperation } from '../../../db/activity/operations';
import { Problem } from '../../../domain/core/problem';
import { findRunStop, leaveStopped } from '../../../jobs/billing/keepStopped';
import type { Handler } from '../../types';
import { lockTeepodOr404, setTeepodState, teepodReply } from '../teepod';

export const uncordonAdminTeepod: Handler<'uncordonAdminTeepod'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const teepod = await lockTeepodOr404(trx, path.id);
    if (!isAllowed(teepodActions.uncordon, teepod.state))
      throw new Problem('CONFLICT', { message: `${teepod.name} is already accepting new CVMs.` });
    const drain = await liveDrain(trx, teepod.id);
    if (drain)
      throw new Problem('CONFLICT', {
        message: `${teepod.name} is being drained (drain ${drain.id}).`,
        suggestions: ['Cancel the drain first.'],
      });
    await setTeepodState(trx, teepod, 'online');
    const again = (body.start_stopped ?? true) ? await stoppedByDrain(trx, teepod.id) : [];
    const started: string[] = [];
    for (const cvm of again) {
      const terms = { billingEnforced: ctx.config.billingEnforced, now: new Date() };
      const stop = await findRunStop(trx, cvm, terms);
      if (stop) {
        await leaveStopped(trx, cvm, stop);
        continue;
      }
      const operation = await beginOperation(trx, {
        cvm,
        type: 'start',
        payload: { reason: 'Its host is in service again.' },
        user_id: null,
      });
      await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
      started.push(cvm.public_id);
    }
    await audit({
      action: 'teepod.uncordon',
      target_kind: 'teepod',
      target_id: String(teepod.id),
      before: { state: teepod.state },
      after: { state: 'online', started },
    });
    return teepodReply(trx, teepod.id);
  });
