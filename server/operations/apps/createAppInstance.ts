import { brokenConstraint } from '../../db/core/client';
import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { revisionOfHash, revisionById } from '../../db/apps/revisions';
import type { RevisionRow } from '../../db/apps/revisionsTable';
import { Problem } from '../../domain/core/problem';
import { composeFacts } from '../../domain/apps/composeFacts';
import { toCvm } from '../../domain/cvms/cvmResponse';
import { toVm } from '../../domain/cvms/vmResponse';
import type { AppInstanceWithVm } from '../../domain/cvms/cvmResponse20260121';
import { analyzeAhead } from '../cvms/deploy/checkedCompose';
import { checkedEnv } from '../cvms/deploy/encryptedEnv';
import { duplicateName } from '../cvms/deploy/provisionCvm';
import { replicate, type Replicated } from '../cvms/deploy/replicate';
import { commitReplica } from '../cvms/onChain/commitReplica';
import { gated } from '../cvms/onChain/gate';
import { checkCvmName } from '../cvms/settings/renameCvm';
import { nextRevision } from '../cvms/settings/update';
import { teamOf } from '../core/caller';
import { requireVerified } from '../core/requireVerified';
import type { Call, Context, Handler, Write } from '../types';
import { appOf } from './appId';
import { bareHash } from './isAllowed';

/** Adds one CVM to an app, based on its newest running CVM except for what the body names. */
export const createAppInstance: Handler<'createAppInstance'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const { app } = await appOf(ctx, path.app_id);
  const encrypted_env = checkedEnv(body.encrypted_env);
  const name = body.name ?? undefined;
  if (name !== undefined) checkCvmName(name);
  const reply = ({ row, operation }: Replicated) => ({
    status: 200 as const,
    body: instanceOf(ctx, row, operation),
  });
  if (body.token)
    return commitReplica(ctx, body.token, { app_id: app.id }, body, reply, { ...body, encrypted_env });
  await analyzeAhead(ctx, body.docker_compose_file ?? undefined);
  const added = gated(ctx, null, (gate) =>
    ctx.write(async (write) => {
      const source = await sourceOf(ctx, write, app.id);
      const made = await replicate(ctx, write, {
        source,
        revision: await revisionFor(ctx, write, source, body),
        node_id: body.node_id ?? undefined,
        encrypted_env,
        name,
        gate,
      });
      return made instanceof Problem ? made : reply(made);
    }),
  );
  return added.catch((error: unknown) => {
    if (name !== undefined && brokenConstraint(error) === 'cvms_team_name') throw duplicateName(name);
    throw error;
  });
};

/** Returns the reply, including fields for the older API version. */
function instanceOf(ctx: Context, row: JoinedCvm, operation: Parameters<typeof toVm>[1]): AppInstanceWithVm {
  const facts = composeFacts(row.revision);
  return {
    ...toCvm(row, facts, ctx),
    manifest_version: String(facts.manifest_version),
    correlation_id: operation.correlation_id,
    vm: toVm(row, operation),
  };
}

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
      message: 'The app has no CVM left to copy size, image and environment from.',
      suggestions: ['Deploy it again.'],
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
      message: "compose_hash doesn't match any revision of this app.",
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
