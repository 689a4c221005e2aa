import type { CreateVaultLock } from '../../../generated/api/types.gen';
import type { NewLock } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { tidyName } from '../../domain/accounts/username';
import { invalid } from '../core/invalid';

/** Returns the validated lock, with exactly the fields its kind needs. @throws VALIDATION_FAILED */
export function newLock(body: CreateVaultLock): NewLock {
  const name = tidyName(body.name);
  if (name === '') throw invalid('name', 'Needs a letter or a digit.');
  if (body.kind === 'passphrase' && body.iterations === undefined)
    throw invalid(
      'iterations',
      'Required for a passphrase: the number of iterations used to derive its key.',
    );
  if (body.kind === 'passphrase' && body.credential_id !== undefined)
    throw invalid('credential_id', 'Only valid for a passkey.');
  if (body.kind === 'passkey' && body.credential_id === undefined)
    throw invalid('credential_id', 'Required for a passkey.');
  if (body.kind === 'passkey' && body.iterations !== undefined)
    throw invalid('iterations', 'Only valid for a passphrase.');
  return {
    kind: body.kind,
    name,
    salt: Buffer.from(body.salt, 'hex'),
    iterations: body.iterations ?? null,
    credential_id: body.credential_id ?? null,
    wrapped_key: Buffer.from(body.wrapped_key, 'hex'),
  };
}

export const noVault = () =>
  new Problem('NOT_FOUND', {
    message: 'You have no vault.',
    suggestions: ['Set it up in your account settings, under security.'],
  });
