import { listSshKeysOf, markSynced } from '../../../db/accounts/sshKeys';
import { Problem } from '../../../domain/core/problem';
import type { SshPublicKey } from '../../../domain/accounts/sshKey';
import { GithubError } from '../../../drivers/github';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { addGithubKeys, githubKeysOf, removeGithubKeys } from './github';

/** Profiles read per request. */
const MAX_PROFILES = 10;

/**
 * Reads previously imported profiles again: adds new keys and removes those that are gone. A profile that
 * can't be read changes nothing.
 */
export const syncGithubKeys: Handler<'syncGithubKeys'> = async ({ ctx }) => {
  const user = userOf(ctx);
  // The profiles that waited longest first, so that repeated requests reach all of them.
  const imported = (await listSshKeysOf(ctx.db, user.id))
    .filter((row) => row.github_username !== null)
    .sort((a, b) => Number(a.last_synced_at) - Number(b.last_synced_at));
  const usernames = [...new Set(imported.map((row) => row.github_username ?? ''))].slice(0, MAX_PROFILES);
  const body = { synced_count: 0, keys_added: 0, keys_updated: 0, keys_removed: 0, errors: [] as string[] };
  const found = new Map<string, SshPublicKey[]>();
  for (const username of usernames) {
    try {
      const { keys, errors } = await githubKeysOf(ctx, username);
      found.set(username, keys);
      body.errors.push(...errors);
    } catch (error) {
      if (!(error instanceof GithubError)) throw error;
      body.errors.push(error.message);
    }
  }
  if (usernames.length > 0 && found.size === 0)
    throw new Problem('UPSTREAM_UNREACHABLE', { message: body.errors[0] ?? 'No profile could be read.' });
  return ctx.write(async (write) => {
    for (const [username, keys] of found) {
      const before = imported.filter((row) => row.github_username === username);
      const there = new Set(keys.map((key) => key.fingerprint));
      const kept = before.filter((row) => there.has(row.fingerprint));
      await markSynced(
        write.trx,
        kept.map((row) => row.id),
      );
      body.keys_updated += kept.length;
      body.keys_removed += await removeGithubKeys(
        ctx,
        write,
        before.filter((row) => !there.has(row.fingerprint)),
      );
      const { added, full } = await addGithubKeys(ctx, write, username, keys);
      body.keys_added += added;
      body.errors.push(...full);
      body.synced_count += 1;
    }
    await write.audit({
      action: 'ssh_key.sync',
      target_kind: 'user',
      target_id: user.public_id,
      team_id: null,
      after: { keys_added: body.keys_added, keys_removed: body.keys_removed },
    });
    return { status: 200, body: { ...body, errors: body.errors.slice(0, 100) } } as const;
  });
};
