import { Problem } from '../../../domain/core/problem';
import { GithubError } from '../../../drivers/github';
import { userOf } from '../../core/caller';
import type { Handler } from '../../types';
import { addGithubKeys, githubKeysOf } from './github';

export const importGithubKeys: Handler<'importGithubKeys'> = async ({ body, ctx }) => {
  const username = body.github_username;
  const { keys, errors } = await githubKeysOf(ctx, username).catch((error: unknown) => {
    if (!(error instanceof GithubError)) throw error;
    if (error.kind === 'unreachable') throw new Problem('UPSTREAM_UNREACHABLE', { message: error.message });
    throw new Problem('NOT_FOUND', {
      message: error.message,
      details: [{ field: 'github_username', value: username }],
    });
  });
  return ctx.write(async (write) => {
    const { added, skipped, full } = await addGithubKeys(ctx, write, username, keys);
    await write.audit({
      action: 'ssh_key.import',
      target_kind: 'user',
      target_id: userOf(ctx).public_id,
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
