import { setUsername } from '../../db/users';
import { Problem } from '../../domain/problem';
import { tidyName } from '../../domain/username';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { accountView } from './account';

export const updateAccount: Handler<'updateAccount'> = async ({ body, ctx }) => {
  const { id, public_id, username: before } = personOf(ctx);
  const username = body.username === undefined ? before : tidyName(body.username);
  if (username === '') {
    const message = 'Write at least one visible character.';
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
