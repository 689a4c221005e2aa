import { renamePasskey } from '../../db/accounts/passkeys';
import { Problem } from '../../domain/core/problem';
import { tidyName } from '../../domain/accounts/username';
import { passkeyOut } from '../../domain/accounts/secondFactorResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const updatePasskey: Handler<'updatePasskey'> = async ({ path, body, ctx }) => {
  const name = passkeyName(body.name);
  return ctx.write(async ({ trx, audit }) => {
    const renamed = await renamePasskey(trx, userOf(ctx).id, path.passkey_id, name);
    if (!renamed) throw noPasskey();
    await audit({
      action: 'passkey.update',
      target_kind: 'passkey',
      target_id: renamed.row.public_id,
      team_id: null,
      before: { name: renamed.before },
      after: { name },
    });
    return { status: 200, body: passkeyOut(renamed.row) } as const;
  });
};

export const noPasskey = () => new Problem('NOT_FOUND', { message: 'Passkey not found.' });

/** Returns the name as lists show it. Throws VALIDATION_FAILED if nothing readable is left. */
export function passkeyName(typed: string): string {
  const name = tidyName(typed);
  if (name === '')
    throw new Problem('VALIDATION_FAILED', {
      message: 'Give the passkey a name.',
      details: [{ field: 'name', message: 'Needs a letter or a digit.' }],
    });
  return name;
}
