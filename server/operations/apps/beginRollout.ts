import { sql } from 'kysely';
import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { endWaitingForHash } from '../../db/apps/approvals';
import { revisionById } from '../../db/apps/revisions';
import { rollsBack } from '../../db/activity/rollsBack';
import { imageHash, isGpuImage } from '../../db/catalog/catalog';
import { addRolloutEvent } from '../../db/apps/rollouts';
import type { AppRow } from '../../db/apps/appsTable';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { OperationPayload } from '../../db/activity/operationsTable';
import type { RevisionRow } from '../../db/apps/revisionsTable';
import { busyProblem } from '../../domain/cvms/operationConflict';
import { changedSince } from '../../domain/cvms/cvmVersion';
import { Problem } from '../../domain/core/problem';
import { publicId } from '../../domain/core/publicId';
import { governedBy } from '../kms/onChain';
import { awaitApproval } from '../cvms/onChain/awaitApproval';
import type { Gate } from '../cvms/onChain/gate';
import { checkVersion } from '../cvms/settings/version';
import { teamOf } from '../core/caller';
import { checkRollout } from '../core/rolloutConflict';
import type { Context, Write } from '../types';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { counted } from '../../../console/lib/texts/count';
import { toJson } from '../../db/core/json';

/** The API's maximum number of CVMs per app. */
const MAX_CVMS = 1000;
/** Time for one update and its rollback, including the wait for other operations on the CVM. */
const SECONDS_EACH = 1_800;
const SETTLE_SECONDS = 15;
const HEALTH_TIMEOUT_SECONDS = 180;

interface Pace {
  settle_seconds?: number | undefined;
  health_timeout_seconds?: number | undefined;
  shutdown_timeout?: number | undefined;
  allow_force_stop?: boolean | undefined;
}

export interface NewRollout {
  app: AppRow;
  pace: Pace;
  reason: string | undefined;
  base_revision_id?: string | undefined;
  /** The only CVMs to update; all of the app's if absent. */
  vm_uuids?: readonly string[] | undefined;
  /** Computes the change for all CVMs from the app's representative CVM. */
  payload: (base: JoinedCvm) => Promise<OperationPayload>;
  gate: Gate;
}

type Row = Pick<
  CvmRow,
  'id' | 'name' | 'vm_uuid' | 'status' | 'revision_id' | 'os_image' | 'encrypted_env' | 'teepod_id' | 'gpus'
>;

/**
 * Records a rollout for a worker. Locks all the app's CVMs, so that a concurrent change to one of them is either
 * seen here or sees the rollout. @returns its public id, or the refusal to answer with if the app's contract must
 * allow it first
 */
export async function beginRollout(
  ctx: Context,
  write: Write,
  { app, pace, reason, base_revision_id, vm_uuids, payload, gate }: NewRollout,
): Promise<string | Problem> {
  const { trx, audit } = write;
  const team = teamOf(ctx);
  const all = await lockCvms(trx, app.id);
  await checkRollout(trx, app.id, { action: 'roll_out', what: `The app “${app.name}”` });
  await refuseBusy(trx, app.id);
  const cvms = vm_uuids === undefined ? all : namedCvms(app, all, vm_uuids);
  const revisions = await revisionsOf(trx, cvms);
  const base = baseOf(app, cvms, revisions);
  if (base_revision_id !== undefined && base_revision_id !== base.revision.public_id)
    throw outdated(app, base.revision);
  const row = await findCvm(trx, team.id, base.cvm.vm_uuid);
  await checkAnyVersion(ctx, write, row, cvms);
  const made = await payload(row);
  if (made.os_image !== undefined) {
    await refuseMissingImage(trx, cvms, made.os_image);
    await refuseGpuImage(trx, cvms, made.os_image);
  }
  if (governedBy(row.kms)) {
    const held = await holdRollout(ctx, write, row, cvms, {
      made,
      pace,
      vm_uuids: vm_uuids && cvms.map(({ vm_uuid }) => vm_uuid),
      gate,
    });
    if (held) return held;
  }
  const settle_seconds = pace.settle_seconds ?? SETTLE_SECONDS;
  const health_timeout_seconds = pace.health_timeout_seconds ?? HEALTH_TIMEOUT_SECONDS;
  const { revision_id = base.revision.id, reason: _, ...rest } = made;
  const rollout = await trx
    .insertInto('rollouts')
    .values({
      public_id: publicId('rol'),
      team_id: team.id,
      app_id: app.id,
      revision_id,
      payload: toJson({
        ...rest,
        ...(pace.shutdown_timeout === undefined ? {} : { shutdown_timeout: pace.shutdown_timeout }),
        ...(pace.allow_force_stop === undefined ? {} : { allow_force_stop: pace.allow_force_stop }),
      }),
      reason: reason || null,
      settle_seconds,
      health_timeout_seconds,
      requested_by: ctx.caller.user?.id ?? null,
      deadline_at: new Date(
        Date.now() + cvms.length * (SECONDS_EACH + settle_seconds + health_timeout_seconds) * 1000,
      ),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('rollout_items')
    .values(
      cvms.map((cvm, i) => ({
        rollout_id: rollout.id,
        position: i + 1,
        cvm_id: cvm.id,
        previous_revision_id: cvm.revision_id,
        previous_os_image: cvm.os_image,
        previous_encrypted_env: cvm.encrypted_env,
      })),
    )
    .execute();
  await addRolloutEvent(trx, rollout, {
    kind: 'rollout.requested',
    message: `Rollout to ${counted(cvms.length, ['CVM', 'CVMs'])} requested`,
    data: reason ? { reason } : {},
  });
  await audit({
    action: 'rollout.create',
    target_kind: 'rollout',
    target_id: rollout.public_id,
    before: { revision: base.revision.public_id },
    after: { app_id: app.app_id, cvms: cvms.length, ...(reason ? { reason } : {}) },
  });
  return rollout.public_id;
}

/** Holds back a rollout until the contract allows it on each CVM's machine. */
async function holdRollout(
  ctx: Context,
  write: Write,
  base: JoinedCvm,
  cvms: readonly Row[],
  {
    made,
    pace,
    vm_uuids,
    gate,
  }: Pick<NewRollout, 'pace' | 'vm_uuids' | 'gate'> & {
    made: OperationPayload;
  },
): Promise<Problem | null> {
  const { trx } = write;
  const revision = await revisionById(trx, made.revision_id ?? base.revision.id);
  const machines = await trx
    .selectFrom('teepods')
    .innerJoin('nodes', 'nodes.id', 'teepods.node_id')
    .select(['teepods.id', 'nodes.device_id'])
    .where('teepods.id', 'in', [...new Set(cvms.map(({ teepod_id }) => teepod_id))])
    .execute();
  // Usually many CVMs boot the same image on the same host.
  const targets = new Map(
    cvms.map(({ teepod_id, os_image }) => {
      const target = { teepod_id, os_image: made.os_image ?? os_image };
      return [`${teepod_id} ${target.os_image}`, target];
    }),
  );
  const boots = await Promise.all(
    [...targets.values()].map(async ({ teepod_id, os_image }) => ({
      compose_hash: revision.compose_hash,
      device_id: machines.find(({ id }) => id === teepod_id)?.device_id ?? null,
      os_image_hash: await imageHash(trx, os_image),
    })),
  );
  const held = gate.check(base, boots);
  if (!held) {
    await endWaitingForHash(trx, base.cvm.id, 'rollout', revision.compose_hash, null);
    return null;
  }
  return awaitApproval(ctx, write, {
    row: base,
    kind: 'rollout',
    revision,
    device_ids: boots.flatMap(({ device_id }) => device_id ?? []),
    payload: { operation: made, rollout: { pace, vm_uuids: vm_uuids ?? null } },
    held,
  });
}

/** Running CVMs come first, so that a faulty revision fails on the first one. */
async function lockCvms(trx: Write['trx'], app: number): Promise<Row[]> {
  // Neither lock is FOR UPDATE: other transactions insert rows that reference the app and these CVMs.
  await sql`
    select id from cvms where app_id = ${app} and deleted_at is null order by id for no key update`.execute(
    trx,
  );
  // Locked from here on: adding a replica takes this lock, so none can be created unseen.
  await trx.selectFrom('apps').select('id').where('id', '=', app).forNoKeyUpdate().execute();
  return trx
    .selectFrom('cvms')
    .select([
      'id',
      'name',
      'vm_uuid',
      'status',
      'revision_id',
      'os_image',
      'encrypted_env',
      'teepod_id',
      'gpus',
    ])
    .where('app_id', '=', app)
    .where('deleted_at', 'is', null)
    .where('desired', '<>', 'deleted')
    .orderBy((eb) => eb('status', '=', 'running'), 'desc')
    .orderBy('id')
    .limit(MAX_CVMS)
    .execute();
}

/** @throws VALIDATION_FAILED naming the CVMs that aren't the app's */
function namedCvms(app: AppRow, cvms: readonly Row[], vm_uuids: readonly string[]): Row[] {
  const plain = (uuid: string) => uuid.toLowerCase().replaceAll('-', '');
  const named = new Set(vm_uuids.map(plain));
  const known = new Set(cvms.map(({ vm_uuid }) => plain(vm_uuid)));
  const unknown = vm_uuids.filter((uuid) => !known.has(plain(uuid)));
  if (unknown.length > 0)
    throw new Problem('VALIDATION_FAILED', {
      details: unknown.slice(0, 20).map((value) => ({
        field: 'vm_uuids',
        value,
        message: `The app “${app.name}” has no CVM ${value}.`,
      })),
    });
  return cvms.filter(({ vm_uuid }) => named.has(plain(vm_uuid)));
}

async function refuseBusy(trx: Write['trx'], app: number): Promise<void> {
  const busy = await trx
    .selectFrom('operations')
    .innerJoin('cvms', 'cvms.id', 'operations.cvm_id')
    .select(['cvms.name', 'operations.type', 'operations.correlation_id', 'operations.created_at'])
    .select(rollsBack('operations').as('rolls_back'))
    .where('cvms.app_id', '=', app)
    .where('operations.state', 'in', LIVE_OPERATION)
    .where('operations.type', '<>', 'delete')
    .limit(1)
    .executeTakeFirst();
  if (busy) throw busyProblem(busy.name, busy);
}

type Revisions = Map<number, RevisionRow>;

async function revisionsOf(trx: Write['trx'], cvms: readonly Row[]): Promise<Revisions> {
  if (cvms.length === 0) return new Map();
  const rows = await trx
    .selectFrom('revisions')
    .selectAll()
    .where('id', 'in', [...new Set(cvms.map((cvm) => cvm.revision_id))])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the CVM that represents the app: one running the newest live revision. */
function baseOf(
  app: AppRow,
  cvms: readonly Row[],
  revisions: Revisions,
): { cvm: Row; revision: RevisionRow } {
  const [base] = cvms
    .flatMap((cvm) => {
      const revision = revisions.get(cvm.revision_id);
      return revision ? [{ cvm, revision }] : [];
    })
    .toSorted((a, b) => b.revision.number - a.revision.number);
  if (!base)
    throw new Problem('WRONG_STATE', {
      message: `The app “${app.name}” has no CVMs to update.`,
      suggestions: ['Deploy it again.'],
    });
  return base;
}

function outdated(app: AppRow, now: RevisionRow): Problem {
  return new Problem('PRECONDITION_FAILED', {
    message: `“${app.name}” now runs revision ${now.number}, not the one you edited.`,
    details: [
      {
        field: 'base_revision_id',
        value: { revision_id: now.public_id, revision_number: now.number },
      },
    ],
    suggestions: ['Reload, review what changed and reapply your changes.'],
  });
}

/**
 * If-Match holds the version of the CVM the editor was opened for, which may be any that runs the base's revision: the
 * change would mix an older one with it.
 */
async function checkAnyVersion(
  ctx: Context,
  write: Write,
  base: JoinedCvm,
  cvms: readonly Row[],
): Promise<void> {
  const header = ctx.headers['if-match'];
  if (header === undefined || changedSince(base, header)?.length === 0) return;
  const rows = await write.trx
    .selectFrom('cvms')
    .selectAll()
    .where(
      'id',
      'in',
      cvms.map(({ id }) => id),
    )
    .where('revision_id', '=', base.revision.id)
    .execute();
  const { revision } = base;
  const fits = rows.some((cvm) => changedSince({ cvm, revision }, header)?.length === 0);
  if (!fits) await checkVersion(ctx, write.trx, base);
}

async function refuseMissingImage(trx: Write['trx'], cvms: readonly Row[], image: string): Promise<void> {
  const teepods = [
    ...new Set(cvms.flatMap(({ teepod_id, os_image }) => (os_image === image ? [] : teepod_id))),
  ];
  if (teepods.length === 0) return;
  const lacking = await trx
    .selectFrom('teepods')
    .select('name')
    .where('id', 'in', teepods)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('teepod_os_images')
            .innerJoin('os_images', 'os_images.id', 'teepod_os_images.os_image_id')
            .select('os_images.id')
            .whereRef('teepod_os_images.teepod_id', '=', 'teepods.id')
            .where('os_images.name', '=', image),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  if (lacking)
    throw new Problem('IMAGE_NOT_FOUND', {
      message: `The host ${lacking.name}, which runs one of the CVMs, doesn't have the OS image “${image}”.`,
      details: [{ field: 'image', value: image }],
    });
}

/** The change was checked for the representative CVM; the app's others may have no GPU. */
async function refuseGpuImage(trx: Write['trx'], cvms: readonly Row[], image: string): Promise<void> {
  const without = cvms.find(({ gpus, os_image }) => gpus === 0 && os_image !== image);
  if (without === undefined || !(await isGpuImage(trx, image))) return;
  const message = `The OS image “${image}” is for CVMs with a GPU; “${without.name}” has none.`;
  throw new Problem('IMAGE_NOT_FOUND', { message, details: [{ field: 'image', value: image, message }] });
}
