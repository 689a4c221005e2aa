import { findCvm } from '../../../db/cvms/cvmLookup';
import { Problem } from '../../../domain/core/problem';
import { toVm } from '../../../domain/cvms/vmResponse';
import { teamOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { checkedEnv } from './encryptedEnv';
import { bareHash } from '../../apps/isAllowed';
import { gated } from '../onChain/gate';
import { replicate } from './replicate';

/**
 * Adds one CVM to the same app: same revision, size, image and environment unless given, on any host with
 * room.
 */
export const createCvmReplica: Handler<'createCvmReplica'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const encrypted_env = checkedEnv(body.encrypted_env);
  return gated(ctx, null, (gate) =>
    ctx.write(async (write) => {
      const source = await findCvm(write.trx, teamOf(ctx).id, path.cvm_id, {
        lock: true,
      });
      const { compose_hash } = source.revision;
      if (body.compose_hash && bareHash(body.compose_hash) !== compose_hash)
        throw new Problem('REPLICA_HASH_REQUIRED', {
          message: "compose_hash doesn't match the running revision.",
          details: [{ field: 'compose_hash', value: compose_hash }],
        });
      const made = await replicate(ctx, write, {
        source,
        node_id: body.node_id ?? undefined,
        encrypted_env,
        gate,
      });
      if (made instanceof Problem) return made;
      return { status: 200 as const, body: toVm(made.row, made.operation) };
    }),
  );
};
