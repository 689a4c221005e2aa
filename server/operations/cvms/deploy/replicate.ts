import { randomUUID } from 'node:crypto';
import { insertHold } from '../../../db/billing/holds';
import { newCvmRate } from '../../../db/billing/orders/cover';
import type { Db } from '../../../db/core/client';
import { imageNamed, imagesOf, typeNamed } from '../../../db/catalog/catalog';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { beginOperation } from '../../../db/activity/operations';
import { replicasByHost } from '../../../db/hosts/replicasByHost';
import { placementPolicy } from '../../../db/platform/platformSettings';
import { reserve, teepodCapacities, type TeepodCapacity } from '../../../db/hosts/reservations';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { OperationRow } from '../../../db/activity/operationsTable';
import type { RevisionRow } from '../../../db/apps/revisionsTable';
import { ratesWithDisk, type Rates } from '../../../domain/billing/pricing';
import { Problem } from '../../../domain/core/problem';
import { publicId } from '../../../domain/core/publicId';
import { attachmentProblem, unsupportedAttachment } from '../../../domain/hosts/attachments';
import { guestFieldsIn, unsupportedField, unsupportedProblem } from '../../../domain/hosts/guestSupport';
import { apart, rank, usesKms } from '../../../domain/hosts/scheduler';
import { checkRollout } from '../../core/rolloutConflict';
import { teamOf } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import type { Context, Write } from '../../types';
import { governedBy } from '../../kms/onChain';
import { awaitApproval } from '../onChain/awaitApproval';
import type { Gate } from '../onChain/gate';
import { claimRevision } from '../settings/change';
import { capacityRefusal } from './noHost';
import { quotaRefusal } from './plan';
import { refuseDevelopmentImage } from '../settings/gatewayImage';
import { storedCompose } from '../settings/update';

export interface Replica {
  /** Locked by the caller. */
  source: JoinedCvm;
  /** The revision to run; the source's own if absent. */
  revision?: RevisionRow;
  /** A teepod; the best fit if absent. */
  node_id: number | undefined;
  /** The source's if null. */
  encrypted_env: string | null;
  /** Checked by the caller; the source's with a number if absent. */
  name?: string | undefined;
  gate: Gate;
}

export interface Replicated {
  row: JoinedCvm;
  operation: OperationRow;
}

/**
 * Adds a CVM to the source's app: same size, image, environment and visibility, on any host with room. Mapped host ports
 * belong to one CVM and aren't copied. Returns the refusal to answer with if the app's contract must allow it first.
 */
export async function replicate(
  ctx: Context,
  write: Write,
  { source, revision = source.revision, node_id, encrypted_env, name, gate }: Replica,
): Promise<Replicated | Problem> {
  const { trx, audit } = write;
  const team = teamOf(ctx);
  const user_id = ctx.caller.user?.id ?? null;
  const { cvm } = source;
  // Neither lock is FOR UPDATE: transactions that hold the app or host insert rows that reference the team.
  await trx.selectFrom('teams').select('id').where('id', '=', team.id).forNoKeyUpdate().execute();
  // A rollout after this lock sees the new CVM; one before it is seen by the new CVM.
  await trx.selectFrom('apps').select('id').where('id', '=', cvm.app_id).forNoKeyUpdate().execute();
  await checkRollout(trx, cvm.app_id, { action: 'scale_out', what: `The app of “${cvm.name}”` });
  const size = { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb };
  const refused = await quotaRefusal(trx, team.id, size);
  if (refused) throw refused;
  const { rates, toPay } = await replicaPrice(trx, cvm);
  const hold = await claimFunds(ctx, trx, toPay, { app_id: cvm.app_id, deploys: true });
  const os_image = revision.id === cvm.revision_id ? cvm.os_image : (revision.os_image ?? cvm.os_image);
  const asked = os_image === cvm.os_image ? undefined : 'compose_hash';
  const image = await imageNamed(trx, os_image);
  await refuseDevelopmentImage(trx, source.app, image, asked);
  if (image.state === 'retired')
    throw new Problem('REPLICA_IMAGE_NOT_AVAILABLE', {
      message: `The OS image “${os_image}” is retired, so new CVMs can't use it.`,
      suggestions: ['Update the app to another OS image first.'],
    });
  const host = await hostFor(trx, team.id, { ...cvm, os_image }, revision, node_id);
  if (governedBy(source.kms)) {
    const { device_id } = await trx
      .selectFrom('teepods')
      .innerJoin('nodes', 'nodes.id', 'teepods.node_id')
      .select('nodes.device_id')
      .where('teepods.id', '=', host)
      .executeTakeFirstOrThrow();
    const { compose_hash } = revision;
    const held = gate.check(source, [
      {
        compose_hash,
        device_id,
        os_image_hash: image.os_image_hash,
      },
    ]);
    if (held)
      return awaitApproval(ctx, write, {
        row: source,
        kind: 'replica',
        revision,
        device_ids: device_id === null ? [] : [device_id],
        payload: {
          replica: { teepod_id: host, encrypted_env, name: name ?? null },
        },
        held,
      });
  }
  const { public_logs, public_sysinfo, public_tcbinfo } = storedCompose.parse(
    JSON.parse(revision.app_compose),
  );
  const made = await trx
    .insertInto('cvms')
    .values({
      public_id: publicId('cvm'),
      vm_uuid: randomUUID(),
      team_id: team.id,
      app_id: cvm.app_id,
      revision_id: revision.id,
      teepod_id: host,
      kms_id: cvm.kms_id,
      name: name ?? (await replicaName(trx, team.id, cvm.name)),
      status: 'creating',
      instance_type: cvm.instance_type,
      ...size,
      gpus: cvm.gpus,
      all_gpus: cvm.all_gpus,
      ...rates,
      os_image,
      env_pubkey: cvm.env_pubkey,
      encrypted_env: encrypted_env ?? cvm.encrypted_env,
      public_logs,
      public_sysinfo,
      public_tcbinfo,
      listed: cvm.listed,
      storage_fs: cvm.storage_fs,
      ssh_authorized_keys: cvm.ssh_authorized_keys,
      created_by: user_id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const taken = await reserve(trx, {
    teepod_id: host,
    team_id: team.id,
    size,
    gpus: cvm.gpus,
    all_gpus: cvm.all_gpus,
    cvm_id: made.id,
  });
  if (!taken) throw new Problem('RESOURCE_NOT_AVAILABLE');
  const operation = await beginOperation(trx, { cvm: made, type: 'deploy', user_id });
  await insertHold(trx, operation, hold, { replaces: true });
  await claimRevision(trx, revision.id, operation);
  await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
  await audit({
    action: 'cvm.replicate',
    target_kind: 'cvm',
    target_id: made.public_id,
    after: { source: cvm.public_id, name: made.name },
  });
  return { row: await findCvm(trx, team.id, made.vm_uuid), operation };
}

/** Returns a replica's rates and the part not covered by an order, in micro-dollars per hour. */
export async function replicaPrice(
  db: Db | Write['trx'],
  cvm: CvmRow,
): Promise<{ rates: Rates; toPay: number }> {
  const rates = ratesWithDisk(cvm, cvm.disk_gb, await typeNamed(db, cvm.instance_type));
  return { rates, toPay: await newCvmRate(db, cvm.team_id, cvm.instance_type, rates) };
}

/** Returns the requested host, or the best one that has the image and the source's KMS. */
async function hostFor(
  trx: Write['trx'],
  team_id: number,
  cvm: CvmRow,
  { app_compose }: Pick<RevisionRow, 'app_compose'>,
  wanted: number | undefined,
): Promise<number> {
  const all = await teepodCapacities(trx, { team_id, ...(wanted ? { teepod_id: wanted } : {}) });
  if (wanted && all.length === 0)
    throw new Problem('NODE_NOT_FOUND', {
      message: `The host ${wanted} isn't available to your team or isn't accepting new CVMs.`,
      details: [{ field: 'node_id', value: wanted }],
    });
  const sameKms = all.filter((host) => usesKms(host, cvm.kms_id));
  const images = await imagesOf(
    trx,
    sameKms.map((host) => host.teepod_id),
  );
  const fields = guestFieldsIn(app_compose);
  const withImage = sameKms.flatMap((host) => {
    const image = images.find((one) => one.teepod_id === host.teepod_id && one.name === cvm.os_image);
    return image ? [{ host, unsupported: unsupportedField(fields, host, image) }] : [];
  });
  const able = withImage.filter(({ unsupported }) => unsupported === null).map(({ host }) => host);
  const unsupported = able.length === 0 ? withImage[0]?.unsupported : null;
  if (unsupported) throw unsupportedProblem(unsupported, '');
  if (wanted && able.length === 0)
    throw new Problem('REPLICA_IMAGE_NOT_AVAILABLE', {
      message: `The host doesn't have the OS image “${cvm.os_image}” or uses another key management service.`,
    });
  const attachable = attachableOn(able, cvm);
  const wish = { size: { vcpu: cvm.vcpu, memory_mb: cvm.memory_mb, disk_gb: cvm.disk_gb }, gpus: cvm.gpus };
  const ranked = rank(attachable, wish, await placementPolicy(trx));
  const [best] = apart(ranked, await replicasByHost(trx, cvm.app_id));
  if (!best) throw await capacityRefusal(trx, team_id, attachable, wish);
  return best.teepod_id;
}

/** Returns the hosts that attach all of their GPUs, if the CVM has them. @throws INCOMPATIBLE_CONFIG if none does */
function attachableOn(hosts: TeepodCapacity[], { gpus, all_gpus }: CvmRow): TeepodCapacity[] {
  const judged = hosts.map((host) => unsupportedAttachment({ ports: [], gpus, all_gpus }, host));
  const found = hosts.filter((_, i) => judged[i] === null);
  if (found.length === 0 && judged[0]) throw attachmentProblem(judged[0]);
  return found;
}

/** Returns a unique name, `my-app-2`, `my-app-3`, …, within the length limit of names. */
async function replicaName(trx: Write['trx'], team_id: number, name: string): Promise<string> {
  const stem = name.replace(/-\d+$/, '').slice(0, 56);
  const taken = await trx
    .selectFrom('cvms')
    .select('name')
    .where('team_id', '=', team_id)
    .where('deleted_at', 'is', null)
    .where('name', 'like', `${stem.replace(/[%_\\]/g, '\\$&')}-%`)
    .execute();
  const names = new Set(taken.map((row) => row.name));
  for (let n = 2; ; n++) if (!names.has(`${stem}-${n}`)) return `${stem}-${n}`;
}
