import { insertPasskey, listPasskeys, takeChallenge } from '../../db/passkeys';
import { Problem } from '../../domain/problem';
import { challengeOf, MOST_PASSKEYS, verifyRegistration, type NewPasskey } from '../../domain/webauthn';
import { passkeyOut } from '../../domain/wire/secondFactors';
import { personOf } from '../shared/caller';
import type { Context, Handler } from '../types';
import { factorAdded, holdPerson } from './factorChange';
import { passkeyName } from './updatePasskey';

export const createPasskey: Handler<'createPasskey'> = async ({ body, ctx }) => {
  const name = passkeyName(body.name);
  const made = await registered(ctx, body.credential);
  return ctx.write(async ({ trx, audit }) => {
    const user = await holdPerson(ctx, trx);
    if ((await listPasskeys(trx, user.id)).length >= MOST_PASSKEYS)
      throw new Problem('CONFLICT', {
        message: `An account has at most ${MOST_PASSKEYS} passkeys.`,
        suggestions: ['Remove one you do not use any more.'],
      });
    const row = await insertPasskey(trx, user.id, { ...made, name });
    if (!row) throw new Problem('CONFLICT', { message: 'This passkey is registered already.' });
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
    (await takeChallenge(ctx.db, challenge, { purpose: 'register', user_id: personOf(ctx).id }));
  const made = ours ? await verifyRegistration(ctx.config.publicUrl, challenge, credential) : null;
  if (!made)
    throw new Problem('VALIDATION_FAILED', {
      message: 'The passkey could not be verified: it took too long, or is not for this site.',
      details: [{ field: 'credential', message: 'Not an answer to a challenge of this account.' }],
      suggestions: ['Add the passkey again.'],
    });
  return made;
}
