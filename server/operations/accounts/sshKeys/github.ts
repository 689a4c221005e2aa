import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { addSshKey, MAX_SSH_KEYS, removeSshKey, type SshKeyRow } from '../../../db/accounts/sshKeys';
import { parseSshKey, SshKeyError, type SshPublicKey } from '../../../domain/accounts/sshKey';
import { userOf } from '../../core/caller';
import type { Context, Write } from '../../types';

/** Returns the usable keys of a profile, and why the others can't be used. @throws {GithubError} */
export async function githubKeysOf(
  ctx: Context,
  username: string,
): Promise<{ keys: SshPublicKey[]; errors: string[] }> {
  const keys: SshPublicKey[] = [];
  const errors: string[] = [];
  for (const [index, line] of (await ctx.github.publicKeys(username, ctx.signal)).entries()) {
    try {
      keys.push(parseSshKey(line));
    } catch (error) {
      if (!(error instanceof SshKeyError)) throw error;
      errors.push(cutWhole(`Key ${index + 1} of ${username}: ${error.message}`, 500));
    }
  }
  return { keys, errors };
}

export async function addGithubKeys(
  ctx: Context,
  { trx }: Write,
  username: string,
  keys: readonly SshPublicKey[],
) {
  const from = { username, url: ctx.config.githubUrl };
  let added = 0;
  let skipped = 0;
  for (const key of keys) {
    const row = await addSshKey(trx, userOf(ctx).id, `${username} on GitHub`, key, from);
    if (row === 'too_many')
      return { added, skipped, full: [`You have reached the limit of ${MAX_SSH_KEYS} keys.`] };
    if (row === 'duplicate') skipped += 1;
    else added += 1;
  }
  return { added, skipped, full: [] };
}

export async function removeGithubKeys(
  ctx: Context,
  { trx }: Write,
  rows: readonly SshKeyRow[],
): Promise<number> {
  for (const row of rows) await removeSshKey(trx, userOf(ctx).id, row.public_id);
  return rows.length;
}
