import { takeDraft } from '../../../db/apps/composeDrafts';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { waitingForHash } from '../../../db/apps/approvals';
import { takeApproval } from '../onChain/commitUpdate';
import { checkedEnv } from './encryptedEnv';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from '../settings/change';
import { checkedAppCompose } from './checkedCompose';
import { composeAfter, nextRevision } from '../settings/update';

export const commitCvmComposeFile: Handler<'commitCvmComposeFile'> = async ({ path, body, ctx }) => {
  const compose_hash = body.compose_hash.toLowerCase().replace(/^(0x|sha256:)/, '');
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const draft = await takeDraft(write.trx, row.cvm.id, compose_hash);
      if (!draft) {
        // It was committed before its hash was allowed.
        const approval = await waitingForHash(write.trx, row.cvm.id, 'update', compose_hash);
        if (!approval) throw unknownHash();
        // Changes beyond the file are committed with their token.
        const { size, listed } = approval.payload;
        if (size !== undefined || listed !== undefined) throw unknownHash();
        await takeApproval(write, approval, row.revision.id);
        const encrypted_env = checkedEnv(body.encrypted_env);
        return {
          ...approval.payload.operation,
          ...(encrypted_env ? { encrypted_env } : {}),
        };
      }
      // The base may have changed since the draft was prepared, so the same changes now produce another
      // file.
      const { before, compose } = composeAfter(row.revision, draft.change);
      const made = await checkedAppCompose(ctx, compose, before.docker_compose_file);
      if (made.compose_hash !== compose_hash) throw unknownHash();
      checkKeys(body.env_keys ?? [], compose.allowed_envs ?? []);
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        ...draft.change,
        encrypted_env: body.encrypted_env,
      });
      return payload;
    },
    reply: () => ({ status: 202 as const }),
  });
};

/** The prepared file is deployed exactly as hashed, and its CVM drops variables that the file doesn't allow. */
function checkKeys(env_keys: readonly string[], allowed_envs: readonly string[]): void {
  const refused = env_keys.filter((name) => !allowed_envs.includes(name));
  if (refused.length === 0) return;
  throw new Problem('VALIDATION_FAILED', {
    message: "The prepared file doesn't allow all variables in env_keys.",
    details: refused.slice(0, 20).map((value) => ({
      field: 'env_keys',
      value,
      message: `${value} isn't in the prepared file's allowed_envs, which its hash covers.`,
    })),
    suggestions: [
      'Provision the Compose file again with these names in allowed_envs and commit the new hash.',
    ],
  });
}

const unknownHash = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message:
      'No Compose file with this hash is prepared for this CVM, or it was prepared for an older revision.',
    suggestions: ['Provision the Compose file again and commit the returned hash.'],
  });
