import { findCvm } from '../../db/cvmLookup';
import type { JoinedCvm } from '../../db/cvmRows';
import { revisionOfHash, revisionById } from '../../db/revisions';
import type { RevisionRow } from '../../db/schema';
import { Problem } from '../../domain/problem';
import { toVm } from '../../domain/wire/cvm';
import { checkedEnv } from '../cvms/encryptedEnv';
import { bareHash, replicate } from '../cvms/replicate';
import { nextRevision } from '../cvms/update';
import { teamOf } from '../shared/caller';
import { requireVerified } from '../shared/verified';
import type { Call, Context, Handler, Write } from '../types';
import { appOf } from './appId';

/** Scales an app out by one CVM, like its newest running one but for what the body names. */
export const createAppInstance: Handler<'createAppInstance'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const { app } = await appOf(ctx, path.app_id);
  const encrypted_env = checkedEnv(body.encrypted_env);
  return ctx.write(async (write) => {
    const source = await sourceOf(ctx, write, app.id);
    const { row, operation } = await replicate(ctx, write, {
      source,
      revision: await revisionFor(ctx, write, source, body),
      node_id: body.node_id ?? undefined,
      encrypted_env,
    });
    return { status: 200 as const, body: toVm(row, operation) };
  });
};

async function sourceOf(ctx: Context, { trx }: Write, app: number): Promise<JoinedCvm> {
  const newest = await trx
    .selectFrom('cvms')
    .select('vm_uuid')
    .where('app_id', '=', app)
    .where('deleted_at', 'is', null)
    .where('desired', '<>', 'deleted')
    .orderBy((eb) => eb('status', '=', 'running'), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest)
    throw new Problem('REPLICA_SOURCE_NOT_FOUND', {
      message: 'The app has no CVM left to take size, image and environment from.',
      suggestions: ['Deploy it anew.'],
    });
  return findCvm(trx, teamOf(ctx).id, newest.vm_uuid, { lock: true });
}

async function revisionFor(
  ctx: Context,
  write: Write,
  source: JoinedCvm,
  body: Call<'createAppInstance'>['body'],
): Promise<RevisionRow> {
  const { docker_compose_file, pre_launch_script } = body;
  const wanted = body.compose_hash ? bareHash(body.compose_hash) : null;
  const unknown = (now: string) =>
    new Problem('REPLICA_HASH_REQUIRED', {
      message: 'compose_hash is not that of a revision of this app.',
      details: [{ field: 'compose_hash', value: now }],
    });
  if (docker_compose_file != null || pre_launch_script != null) {
    const { revision_id } = await nextRevision(ctx, write, source, {
      docker_compose_file: docker_compose_file ?? undefined,
      pre_launch_script: pre_launch_script ?? undefined,
    });
    const made = await revisionById(write.trx, revision_id ?? source.revision.id);
    if (wanted !== null && made.compose_hash !== wanted) throw unknown(made.compose_hash);
    return made;
  }
  if (wanted === null || wanted === source.revision.compose_hash) return source.revision;
  const found = await revisionOfHash(write.trx, source.app.id, wanted);
  if (!found) throw unknown(source.revision.compose_hash);
  return found;
}
