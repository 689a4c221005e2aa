import { isAppIdTaken } from '../../db/apps/provisions';
import { appIdFor } from '../../domain/apps/appId';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

/** Only a prediction: a concurrent deployment takes the first of them. */
export const getNextAppIds: Handler<'getNextAppIds'> = async ({ query, ctx }) => {
  const { counts = 1 } = query;
  const { wallet_address, next_nonce } = await ctx.db
    .selectFrom('teams')
    .select(['wallet_address', 'next_nonce'])
    .where('id', '=', teamOf(ctx).id)
    .executeTakeFirstOrThrow();
  const app_ids: { app_id: string; nonce: number }[] = [];
  for (let nonce = next_nonce; app_ids.length < counts; nonce++) {
    const app_id = appIdFor(wallet_address, nonce);
    // A client may already have claimed one ahead of its turn.
    if (!(await isAppIdTaken(ctx.db, app_id))) app_ids.push({ app_id, nonce });
  }
  return { status: 200, body: { app_ids } };
};
