import { changeAiKey } from '../../db/ai/aiKeys';
import { aiKeyOut } from '../../domain/ai/aiResponse';
import type { Handler } from '../types';
import { auditOf, auditView, holdAiKey, needLive, newAiSecret } from './aiKey';

const HOUR_MS = 3_600_000;
const DEFAULT_GRACE_HOURS = 24;

export const rotateAiKey: Handler<'rotateAiKey'> = async ({ path, body, ctx }) => {
  const hours = body.grace_hours ?? DEFAULT_GRACE_HOURS;
  const { secret, stored } = newAiSecret();
  return ctx.write(async ({ trx, audit }) => {
    const before = await holdAiKey(trx, ctx, path.ai_key_id);
    needLive(before);
    const change = {
      ...stored,
      previous_hash: hours > 0 ? before.secret_hash : null,
      previous_until: hours > 0 ? new Date(Date.now() + hours * HOUR_MS) : null,
    };
    await changeAiKey(trx, before.id, change);
    const after = { ...before, ...change };
    await audit({
      ...auditOf(after, 'rotate'),
      before: auditView(before),
      after: { hint: aiKeyOut(after).hint, previous_until: change.previous_until?.toISOString() ?? null },
    });
    return { status: 200, body: { secret, key: aiKeyOut(after) } } as const;
  });
};
