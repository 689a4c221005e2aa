import { changeAiKey, findAiKey } from '../../db/ai/aiKeys';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { auditOf, auditView, holdAiKey } from './aiKey';

export const revokeAiKey: Handler<'revokeAiKey'> = async ({ path, ctx }) => {
  const done = { status: 204 } as const;
  const found = await findAiKey(ctx.db, teamOf(ctx).id, path.ai_key_id);
  if (!found) throw new Problem('NOT_FOUND', { message: 'The team has no such AI key.' });
  // Revocation is permanent: repeating it is no error.
  if (found.revoked_at !== null) return done;
  return ctx.write(async ({ trx, audit }) => {
    const row = await holdAiKey(trx, ctx, path.ai_key_id);
    await changeAiKey(trx, row.id, {
      revoked_at: row.revoked_at ?? new Date(),
      previous_hash: null,
      previous_until: null,
    });
    await audit({ ...auditOf(row, 'revoke'), before: auditView(row) });
    return done;
  });
};
