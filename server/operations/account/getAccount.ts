import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { accountView } from './account';

export const getAccount: Handler<'getAccount'> = async ({ ctx }) => ({
  status: 200,
  body: await accountView(ctx.db, personOf(ctx).id),
});
