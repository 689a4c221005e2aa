import type { Selectable } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { SshPublicKey } from '../../domain/accounts/sshKey';
import type { Db, Tx } from '../core/client';
import type { SshKeysTable } from './sshKeysTable';
import { toJson } from '../core/json';

export type SshKeyRow = Selectable<SshKeysTable>;

/** Keys one user may have: all of them go into every development image they deploy. */
export const MAX_SSH_KEYS = 100;

export function listSshKeysOf(db: Db | Tx, user_id: number): Promise<SshKeyRow[]> {
  return db
    .selectFrom('ssh_keys')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('id')
    .limit(MAX_SSH_KEYS)
    .execute();
}

/** The profile a key was imported from. */
export interface GithubSource {
  username: string;
  /** The server that hosts the profile. */
  url: string;
}

const sourceColumns = ({ username, url }: GithubSource) => ({
  source: 'github',
  github_username: username,
  key_metadata: toJson({ github_username: username, url }),
  last_synced_at: new Date(),
});

/** Marks the keys still on the profile. */
export async function markSynced(trx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('ssh_keys')
    .set({ last_synced_at: new Date() })
    .where('id', 'in', [...ids])
    .execute();
}

/** `too_many` and `duplicate` say why nothing was added. */
export async function addSshKey(
  trx: Tx,
  user_id: number,
  name: string,
  key: SshPublicKey,
  from: GithubSource | null = null,
): Promise<SshKeyRow | 'too_many' | 'duplicate'> {
  // Serialized per user, so the limit holds for concurrent requests.
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute();
  const keys = await listSshKeysOf(trx, user_id);
  if (keys.some((row) => row.fingerprint === key.fingerprint)) return 'duplicate';
  if (keys.length >= MAX_SSH_KEYS) return 'too_many';
  return trx
    .insertInto('ssh_keys')
    .values({ public_id: publicId('sshkey'), user_id, name, ...key, ...(from ? sourceColumns(from) : {}) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns undefined when the user has no such key. */
export function removeSshKey(trx: Tx, user_id: number, public_id: string): Promise<SshKeyRow | undefined> {
  return trx
    .deleteFrom('ssh_keys')
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirst();
}
