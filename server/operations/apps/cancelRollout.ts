import { rolloutNotCancellableText } from '../../../console/lib/cvms/notCancellable';
import { addRolloutEvent } from '../../db/apps/rollouts';
import { Problem } from '../../domain/core/problem';
import { notCancellable } from '../../domain/apps/rolloutResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { appOf } from './appId';
import { noRollout, rolloutReply } from './rollout';

/** The update in progress always completes: a half-applied update is worse than either outcome. */
export const cancelRollout: Handler<'cancelRollout'> = async ({ path, body, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const { mode = 'keep' } = body;
  await ctx.write(async ({ trx, audit }) => {
    const rollout = await trx
      .selectFrom('rollouts')
      .selectAll()
      .where('app_id', '=', app.id)
      .where('public_id', '=', path.rollout_id)
      .forUpdate()
      .executeTakeFirst();
    if (!rollout) throw noRollout();
    const refused = notCancellable(rollout.state);
    if (refused !== null)
      throw new Problem('WRONG_STATE', {
        message: `The rollout can't be canceled. ${rolloutNotCancellableText(refused, rollout.state)}`,
        details: [{ field: 'state', value: rollout.state }],
        suggestions: [],
      });
    if (rollout.cancel_mode !== mode) {
      const user = userOf(ctx);
      await trx
        .updateTable('rollouts')
        .set({ cancel_mode: mode, cancel_requested_at: new Date(), cancel_requested_by: user.id })
        .where('id', '=', rollout.id)
        .execute();
      const other = user.id !== rollout.requested_by ? ` by ${user.username}` : '';
      await addRolloutEvent(trx, rollout, {
        kind: 'rollout.cancel_requested',
        severity: 'warning',
        message: `Rollout canceled${other}: it stops after the current CVM. Updated CVMs are ${mode === 'keep' ? 'kept' : 'rolled back'}`,
        data: { mode },
      });
    }
    await audit({
      action: 'rollout.cancel',
      target_kind: 'rollout',
      target_id: rollout.public_id,
      before: { state: rollout.state, cancel_mode: rollout.cancel_mode },
      after: { cancel_mode: mode },
    });
  });
  return { status: 202, body: await rolloutReply(ctx, app, path.rollout_id) };
};
