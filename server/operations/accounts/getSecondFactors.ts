import type { SecondFactors } from '../../../generated/api/types.gen';
import type { Db } from '../../db/core/client';
import { listPasskeys } from '../../db/accounts/passkeys';
import { countFactors } from '../../db/accounts/secondFactors';
import { findTotp } from '../../db/accounts/totp';
import { secondFactorsOut } from '../../domain/accounts/secondFactorResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const getSecondFactors: Handler<'getSecondFactors'> = async ({ ctx }) => ({
  status: 200,
  body: await secondFactorsView(ctx.db, userOf(ctx).id),
});

export async function secondFactorsView(db: Db, user_id: number): Promise<SecondFactors> {
  const [totp, passkeys, { recovery_codes }] = await Promise.all([
    findTotp(db, user_id),
    listPasskeys(db, user_id),
    countFactors(db, user_id),
  ]);
  return secondFactorsOut(totp, passkeys, recovery_codes);
}
