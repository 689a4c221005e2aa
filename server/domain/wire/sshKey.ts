import type { SshKey } from '../../../generated/api/types.gen';

export interface SshKeyFields {
  public_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  key_type: string;
  source: string;
  created_at: Date;
  updated_at: Date;
}

export const sshKeyOut = (key: SshKeyFields, user_id: string): SshKey => ({
  id: key.public_id,
  user_id,
  name: key.name,
  public_key: key.public_key,
  fingerprint: key.fingerprint,
  key_type: key.key_type,
  source: key.source === 'github' ? 'github' : 'manual',
  key_metadata: null,
  last_synced_at: null,
  created_at: key.created_at.toISOString(),
  updated_at: key.updated_at.toISOString(),
});
