import { takeDraft } from '../../db/composeDrafts';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { changeCvm } from './change';
import { checkedAppCompose } from './plan';
import { composeAfter, nextRevision } from './update';

export const commitCvmComposeFile: Handler<'commitCvmComposeFile'> = async ({ path, body, ctx }) => {
  const compose_hash = body.compose_hash.toLowerCase().replace(/^(0x|sha256:)/, '');
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    payload: async (row, write) => {
      const draft = await takeDraft(write.trx, row.cvm.id, compose_hash);
      if (!draft) throw unknownHash();
      const change = { ...draft.change, ...(body.env_keys ? { allowed_envs: body.env_keys } : {}) };
      // What it was prepared on may have changed since, and then the same changes make another file.
      const made = checkedAppCompose(composeAfter(row.revision, draft.change).compose);
      if (made.compose_hash !== compose_hash) throw unknownHash();
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        ...change,
        encrypted_env: body.encrypted_env,
      });
      return payload;
    },
    reply: () => ({ status: 202 as const }),
  });
};

const unknownHash = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message: 'No file of this hash is prepared for this CVM, or it was prepared on an older revision.',
    suggestions: ['Provision the compose file again and commit the hash that answers.'],
  });
