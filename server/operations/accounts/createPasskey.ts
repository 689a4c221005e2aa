import { insertPasskey, listPasskeys, takeChallenge } from '../../db/accounts/passkeys';
import { Problem } from '../../domain/core/problem';
import {
  challengeOf,
  MAX_PASSKEYS,
  verifyRegistration,
  type NewPasskey,
} from '../../domain/accounts/webauthn';
import { passkeyOut } from '../../domain/accounts/secondFactorResponse';
import { userOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { factorAdded, lockCaller } from './factorChange';
import { passkeyName } from './updatePasskey';

export const createPasskey: Handler<'createPasskey'> = async ({ body, ctx }) => {
  const name = passkeyName(body.name);
  const made = await registered(ctx, body.credential);
  return ctx.write(async ({ trx, audit }) => {
    const user = await lockCaller(ctx, trx);
    if ((await listPasskeys(trx, user.id)).length >= MAX_PASSKEYS)
      throw new Problem('CONFLICT', {
        message: `An account can have at most ${MAX_PASSKEYS} passkeys.`,
        suggestions: ['Remove one you no longer use.'],
      });
    const row = await insertPasskey(trx, user.id, { ...made, name });
    if (!row) throw new Problem('CONFLICT', { message: 'This passkey is already registered.' });
    const codes = await factorAdded(ctx, trx, user, { method: 'passkey', name });
    await audit({
      action: 'passkey.create',
      target_kind: 'passkey',
      target_id: row.public_id,
      team_id: null,
      after: { name, synced: row.synced, recovery_codes: codes?.length ?? 0 },
    });
    return { status: 201, body: { passkey: passkeyOut(row), codes } } as const;
  });
};

async function registered(ctx: Context, credential: Readonly<Record<string, unknown>>): Promise<NewPasskey> {
  const challenge = challengeOf(credential);
  const ours =
    challenge !== null &&
    (await takeChallenge(ctx.db, challenge, { purpose: 'register', user_id: userOf(ctx).id }));
  const made = ours ? await verifyRegistration(ctx.config.publicUrl, challenge, credential) : null;
  if (!made)
    throw new Problem('VALIDATION_FAILED', {
      message: "Couldn't verify the passkey. It took too long, or it isn't for this site.",
      details: [{ field: 'credential', message: "The response doesn't match a challenge for this account." }],
      suggestions: ['Add the passkey again.'],
    });
  return made;
}
