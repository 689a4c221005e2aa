import { addSshKey, MAX_SSH_KEYS } from '../../db/sshKeys';
import { Problem } from '../../domain/problem';
import { parseSshKey, SshKeyError, type SshPublicKey } from '../../domain/sshKey';
import { sshKeyOut } from '../../domain/wire/sshKey';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const createSshKey: Handler<'createSshKey'> = async ({ body, ctx }) => {
  const user = personOf(ctx);
  const key = read(body.public_key);
  return ctx.write(async ({ trx, audit }) => {
    const row = await addSshKey(trx, user.id, body.name.trim() || key.key_type, key);
    if (row === 'duplicate')
      throw new Problem('CONFLICT', {
        message: 'You have this key already.',
        details: [{ field: 'public_key', value: key.fingerprint }],
      });
    if (row === 'too_many')
      throw new Problem('CONFLICT', {
        message: `You have ${MAX_SSH_KEYS} keys, and no more are possible.`,
        suggestions: ['Remove one that is not used.'],
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
