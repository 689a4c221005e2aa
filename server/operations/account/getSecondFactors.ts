import type { SecondFactors } from '../../../generated/api/types.gen';
import type { Db } from '../../db/client';
import { listPasskeys } from '../../db/passkeys';
import { countFactors } from '../../db/secondFactors';
import { findTotp } from '../../db/totp';
import { secondFactorsOut } from '../../domain/wire/secondFactors';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const getSecondFactors: Handler<'getSecondFactors'> = async ({ ctx }) => ({
  status: 200,
  body: await secondFactorsView(ctx.db, personOf(ctx).id),
});

export async function secondFactorsView(db: Db, user_id: number): Promise<SecondFactors> {
  const [totp, passkeys, { recovery_codes }] = await Promise.all([
    findTotp(db, user_id),
    listPasskeys(db, user_id),
    countFactors(db, user_id),
  ]);
  return secondFactorsOut(totp, passkeys, recovery_codes);
}
