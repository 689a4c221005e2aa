import type { SecretCopy, Vault, VaultLock } from '../../../generated/api/types.gen';

interface LockFields {
  public_id: string;
  kind: 'passphrase' | 'passkey';
  name: string;
  salt: Buffer;
  iterations: number | null;
  credential_id: string | null;
  wrapped_key: Buffer;
  created_at: Date;
}

interface VaultFields {
  vault: { public_key: Buffer; created_at: Date };
  locks: readonly LockFields[];
}

interface CopyFields {
  env_digest: Buffer;
  ciphertext: Buffer;
  cvms: string[];
  updated_at: Date;
}

export const vaultOut = ({ vault, locks }: VaultFields): Vault => ({
  public_key: vault.public_key.toString('hex'),
  locks: locks.map(lockOut),
  created_at: vault.created_at.toISOString(),
});

const lockOut = (lock: LockFields): VaultLock => ({
  id: lock.public_id,
  kind: lock.kind,
  name: lock.name,
  salt: lock.salt.toString('hex'),
  iterations: lock.iterations,
  credential_id: lock.credential_id,
  wrapped_key: lock.wrapped_key.toString('hex'),
  created_at: lock.created_at.toISOString(),
});

export const copyOut = (copy: CopyFields): SecretCopy => ({
  ciphertext: copy.ciphertext.toString('hex'),
  env_digest: copy.env_digest.toString('hex'),
  cvms: copy.cvms,
  updated_at: copy.updated_at.toISOString(),
});
