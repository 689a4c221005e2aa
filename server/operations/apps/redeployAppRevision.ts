import { revisionRow } from '../../db/apps/revisions';
import { Problem } from '../../domain/core/problem';
import { restoreRevision } from '../cvms/lifecycle/restore';
import { checkTexts } from '../core/text';
import { confirmationIn, gated } from '../cvms/onChain/gate';
import type { Handler } from '../types';
import { appOf } from './appId';
import { beginRollout } from './beginRollout';
import { rolloutReply } from './rollout';

/**
 * Updates the app's CVMs, or those the body names, one at a time like any rollout: an old revision may no longer
 * work either.
 */
export const redeployAppRevision: Handler<'redeployAppRevision'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['reason']);
  const { app } = await appOf(ctx, path.app_id);
  const { reason, encrypted_env, vm_uuids, ...pace } = body;
  let missing_envs: string[] = [];
  const rollout_id = await gated(ctx, confirmationIn(ctx), (gate) =>
    ctx.write(async (write) => {
      const target = await revisionRow(write.trx, app.id, path.revision_id);
      if (!target)
        throw new Problem('NOT_FOUND', {
          message: 'Revision not found for this app.',
        });
      return beginRollout(ctx, write, {
        app,
        gate,
        reason,
        pace,
        vm_uuids,
        async payload(base) {
          const restored = await restoreRevision(ctx, write, base, target, { reason, encrypted_env });
          const { payload } = restored;
          missing_envs = restored.missing_envs;
          // The app's other CVMs may have another image.
          return target.os_image === null ? payload : { os_image: base.cvm.os_image, ...payload };
        },
      });
    }),
  );
  return { status: 202, body: { ...(await rolloutReply(ctx, app, rollout_id)), missing_envs } };
};
