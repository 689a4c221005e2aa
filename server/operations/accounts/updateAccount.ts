import { setUsername } from '../../db/accounts/users';
import { Problem } from '../../domain/core/problem';
import { tidyName } from '../../domain/accounts/username';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { accountView } from './account';

export const updateAccount: Handler<'updateAccount'> = async ({ body, ctx }) => {
  const { id, public_id, username: before } = userOf(ctx);
  const username = body.username === undefined ? before : tidyName(body.username);
  if (username === '') {
    const message = 'Enter at least one visible character.';
    throw new Problem('VALIDATION_FAILED', {
      message: `username: ${message}`,
      details: [{ field: 'username', message }],
    });
  }
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
