import {
  addSshKey,
  listSshKeysOf,
  markSynced,
  MAX_SSH_KEYS,
  removeSshKey,
  type SshKeyRow,
} from '../../db/sshKeys';
import { Problem } from '../../domain/problem';
import { parseSshKey, SshKeyError, type SshPublicKey } from '../../domain/sshKey';
import { GithubError } from '../../drivers/github';
import { personOf } from '../shared/caller';
import type { Context, Handler, Write } from '../types';

/** Profiles asked in one go. */
const MAX_PROFILES = 10;

export const importGithubKeys: Handler<'importGithubKeys'> = async ({ body, ctx }) => {
  const username = body.github_username;
  const { keys, errors } = await keysOf(ctx, username).catch((error: unknown) => {
    if (!(error instanceof GithubError)) throw error;
    if (error.kind === 'unreachable') throw new Problem('UPSTREAM_UNREACHABLE', { message: error.message });
    throw new Problem('NOT_FOUND', {
      message: error.message,
      details: [{ field: 'github_username', value: username }],
    });
  });
  return ctx.write(async (write) => {
    const { added, skipped, full } = await add(ctx, write, username, keys);
    await write.audit({
      action: 'ssh_key.import',
      target_kind: 'user',
      target_id: personOf(ctx).public_id,
      team_id: null,
      after: { github_username: username, keys_added: added },
    });
    return {
      status: 200,
      body: {
        github_username: username,
        keys_added: added,
        keys_skipped: skipped,
        errors: [...errors, ...full],
      },
    } as const;
  });
};

/** Profiles imported before are read again: new keys are added, those no longer there removed. A profile that cannot be read changes nothing. */
export const syncGithubKeys: Handler<'syncGithubKeys'> = async ({ ctx }) => {
  const user = personOf(ctx);
  const imported = (await listSshKeysOf(ctx.db, user.id)).filter((row) => row.github_username !== null);
  const usernames = [...new Set(imported.map((row) => row.github_username ?? ''))].slice(0, MAX_PROFILES);
  const body = { synced_count: 0, keys_added: 0, keys_updated: 0, keys_removed: 0, errors: [] as string[] };
  const found = new Map<string, SshPublicKey[]>();
  for (const username of usernames) {
    try {
      const { keys, errors } = await keysOf(ctx, username);
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
      body.keys_removed += await remove(
        ctx,
        write,
        before.filter((row) => !there.has(row.fingerprint)),
      );
      const { added, full } = await add(ctx, write, username, keys);
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

/** The keys of a profile that can be used, and why the others cannot. @throws {GithubError} */
async function keysOf(ctx: Context, username: string): Promise<{ keys: SshPublicKey[]; errors: string[] }> {
  const keys: SshPublicKey[] = [];
  const errors: string[] = [];
  for (const [index, line] of (await ctx.github.publicKeys(username, ctx.signal)).entries()) {
    try {
      keys.push(parseSshKey(line));
    } catch (error) {
      if (!(error instanceof SshKeyError)) throw error;
      errors.push(`Key ${index + 1} of ${username}: ${error.message}`.slice(0, 500));
    }
  }
  return { keys, errors };
}

async function add(ctx: Context, { trx }: Write, username: string, keys: readonly SshPublicKey[]) {
  const from = { username, url: ctx.config.githubUrl };
  let added = 0;
  let skipped = 0;
  for (const key of keys) {
    const row = await addSshKey(trx, personOf(ctx).id, `${username} on GitHub`, key, from);
    if (row === 'too_many')
      return { added, skipped, full: [`You have ${MAX_SSH_KEYS} keys, and no more are possible.`] };
    if (row === 'duplicate') skipped += 1;
    else added += 1;
  }
  return { added, skipped, full: [] };
}

async function remove(ctx: Context, { trx }: Write, rows: readonly SshKeyRow[]): Promise<number> {
  for (const row of rows) await removeSshKey(trx, personOf(ctx).id, row.public_id);
  return rows.length;
}
