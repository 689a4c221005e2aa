import { addRolloutEvent } from '../../db/rollouts';
import { Problem } from '../../domain/problem';
import { notCancellable } from '../../domain/wire/rollout';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { appOf } from './appId';
import { noRollout, rolloutReply } from './rollout';

/** The CVM that is being updated is finished with in any case: half an update is worse than either end of it. */
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
        message: `The rollout cannot be cancelled. ${refused}`,
        details: [{ field: 'state', value: rollout.state }],
        suggestions: [],
      });
    if (rollout.cancel_mode !== mode) {
      const person = personOf(ctx);
      await trx
        .updateTable('rollouts')
        .set({ cancel_mode: mode, cancel_requested_at: new Date(), cancel_requested_by: person.id })
        .where('id', '=', rollout.id)
        .execute();
      const other = person.id !== rollout.requested_by ? ` by ${person.username}` : '';
      await addRolloutEvent(trx, rollout, {
        kind: 'rollout.cancel_requested',
        severity: 'warning',
        message: `Rollout cancelled${other}: it stops after the present CVM, and what is updated ${mode === 'keep' ? 'stays' : 'goes back'}`,
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
