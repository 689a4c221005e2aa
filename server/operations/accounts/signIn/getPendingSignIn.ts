import { pendingView } from '../../core/pendingSignIn';
import type { Handler } from '../../types';
import { pendingOf } from './pending';

export const getPendingSignIn: Handler<'getPendingSignIn'> = async ({ ctx }) => {
  const { pending } = await pendingOf(ctx);
  return { status: 200, body: await pendingView(ctx.db, pending) };
};
