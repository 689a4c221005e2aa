import { setUsername } from '../../db/accounts/users';
import { tidyName } from '../../domain/accounts/username';
import { userOf } from '../core/caller';
import { invalidField } from '../core/invalid';
import type { Handler } from '../types';
import { accountView } from './account';

export const updateAccount: Handler<'updateAccount'> = async ({ body, ctx }) => {
  const { id, public_id, username: before } = userOf(ctx);
  const username = body.username === undefined ? before : tidyName(body.username);
  if (username === '') throw invalidField('username', 'Enter at least one visible character.');
  if (username !== before)
    await ctx.write(async ({ trx, audit }) => {
      await setUsername(trx, id, username);
      await audit({
        action: 'user.update',
        target_kind: 'user',
        target_id: public_id,
        team_id: null,
        before: { username: before },
        after: { username },
      });
    });
  return { status: 200, body: await accountView(ctx.db, id) };
};
