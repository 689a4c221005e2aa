import { addSshKey, MAX_SSH_KEYS } from '../../../db/accounts/sshKeys';
import { Problem } from '../../../domain/core/problem';
import { parseSshKey, SshKeyError, type SshPublicKey } from '../../../domain/accounts/sshKey';
import { tidyName } from '../../../domain/accounts/username';
import { sshKeyOut } from '../../../domain/accounts/sshKeyResponse';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';

export const createSshKey: Handler<'createSshKey'> = async ({ body, ctx }) => {
  const user = userOf(ctx);
  const key = read(body.public_key);
  return ctx.write(async ({ trx, audit }) => {
    const row = await addSshKey(trx, user.id, tidyName(body.name) || key.key_type, key);
    if (row === 'duplicate')
      throw new Problem('CONFLICT', {
        message: 'You already have this key.',
        details: [{ field: 'public_key', value: key.fingerprint }],
      });
    if (row === 'too_many')
      throw new Problem('CONFLICT', {
        message: `You have reached the limit of ${MAX_SSH_KEYS} keys.`,
        suggestions: ['Remove an unused one.'],
      });
    await audit({
      action: 'ssh_key.create',
      target_kind: 'ssh_key',
      target_id: row.public_id,
      team_id: null,
      after: { name: row.name, fingerprint: row.fingerprint },
    });
    return { status: 201, body: sshKeyOut(row, user.public_id) } as const;
  });
};

function read(public_key: string): SshPublicKey {
  try {
    return parseSshKey(public_key);
  } catch (error) {
    if (!(error instanceof SshKeyError)) throw error;
    throw new Problem('VALIDATION_FAILED', {
      message: error.message,
      details: [{ field: 'public_key', message: error.message }],
    });
  }
}
