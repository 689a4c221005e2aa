import type { SshKey } from '../../../generated/api/types.gen';
import { iso } from '../core/references';

export interface SshKeyFields {
  public_id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  key_type: string;
  source: string;
  key_metadata: Record<string, unknown> | null;
  last_synced_at: Date | null;
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
  key_metadata: key.key_metadata,
  last_synced_at: iso(key.last_synced_at),
  created_at: key.created_at.toISOString(),
  updated_at: key.updated_at.toISOString(),
});
