import { sql } from 'kysely';
import { insertHold } from '../../../db/billing/holds';
import { findCvm } from '../../../db/cvms/cvmLookup';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { holdExactly } from '../../../db/hosts/reservations';
import { endWaitingForHash } from '../../../db/apps/approvals';
import { revisionById } from '../../../db/apps/revisions';
import type { RevisionRow } from '../../../db/apps/revisionsTable';
import { imageHash } from '../../../db/catalog/catalog';
import { beginOperation, liveOperation } from '../../../db/activity/operations';
import type { OperationPayload, OperationRow } from '../../../db/activity/operationsTable';
import { allowedActions } from '../../../../console/lib/cvms/allowedActions';
import { rateToPay, rateToStart, stoppedRateToPay } from '../../../domain/billing/pricing';
import { outcome, transitions, type OperationType } from '../../../domain/cvms/cvmStates';
import { Problem } from '../../../domain/core/problem';
import { refuseBusy } from '../busy';
import type { Context, Write } from '../../types';
import { checkRollout } from '../../core/rolloutConflict';
import { teamOf } from '../../core/caller';
import { claimFunds } from '../../core/funds';
import { governedBy } from '../../kms/onChain';
import { awaitApproval } from '../onChain/awaitApproval';
import { gated, type Confirmation, type Gate } from '../onChain/gate';
import { coverAfter, resizePayload, type NewSize } from './resize';
import { listedSetting } from './setCvmListed';
import { applySetting } from './setting';
import { checkVersion } from './version';

export interface Change<T> {
  cvm_id: string;
  /** The CVM's team; the request's team if absent. */
  team_id?: number;
  type: OperationType;
  /**
   * Builds what the operation needs; runs under the CVM's lock and may write the change's rows.
   */
  payload?: (row: JoinedCvm, write: Write) => Promise<OperationPayload>;
  /** A new size along with an update; a pending change checks, prices and reserves it again at commit. */
  size?: NewSize | undefined;
  /** Changes the listing along with the rest, so not while that is pending. */
  listed?: boolean | undefined;
  reply: (row: JoinedCvm, operation: OperationRow, write: Write) => T | Promise<T>;
  /** Set if the caller states that the app's contract allows the update. */
  confirms?: Confirmation | null;
  /** Who requested it, if not the caller. */
  user_id?: number | null;
}

/** Edits based on a version the caller read: these honor If-Match and wait for the app's rollout. */
const EDITS: ReadonlySet<OperationType> = new Set(['update', 'resize']);

/**
 * Runs every change to a CVM: finds and locks it, checks that it may change now, writes operation, status,
 * event, audit entry and job in one transaction, and returns immediately. A worker does the rest.
 *
 * An `update` or `resize` may answer 412: its operation in the document takes If-Match and names ERR-00-020.
 */
export async function changeCvm<T>(ctx: Context, change: Change<T>): Promise<T> {
  return gated(ctx, change.confirms ?? null, (gate) =>
    ctx.write((write) => attempt(ctx, write, change, gate)),
  );
}

async function attempt<T>(
  ctx: Context,
  write: Write,
  { cvm_id, team_id: of, type, payload, size, listed, reply, ...change }: Change<T>,
  gate: Gate,
): Promise<T | Problem> {
  const { user_id = ctx.caller.user?.id ?? null } = change;
  const team_id = of ?? teamOf(ctx).id;
  const { trx, audit } = write;
  const row = await findCvm(trx, team_id, cvm_id, { lock: true });
  await checkState(trx, row, type);
  if (EDITS.has(type)) {
    await checkRollout(trx, row.app.id, {
      action: 'update_cvm',
      what: `“${row.cvm.name}”`,
    });
    await checkVersion(ctx, trx, row);
  }
  const resized = size && (await resizePayload(write, row, size));
  const update = (await payload?.(row, write)) ?? {};
  const extra = { ...resized, ...update };
  const governed = type === 'update' && governedBy(row.kms) !== null;
  const revision = governed && (await revisionById(trx, extra.revision_id ?? row.revision.id));
  if (revision) {
    const boot = {
      compose_hash: revision.compose_hash,
      device_id: row.node.device_id,
      os_image_hash: await imageHash(trx, extra.os_image ?? row.cvm.os_image),
    };
    const held = gate.check(row, [boot]);
    if (held) {
      // A pending change must not hold capacity.
      if (resized) await holdExactly(trx, row.cvm.id, row.cvm);
      return awaitApproval(ctx, write, {
        row,
        kind: 'update',
        revision,
        device_ids: boot.device_id === null ? [] : [boot.device_id],
        payload: {
          operation: update,
          ...(size ? { size } : {}),
          ...(listed === undefined ? {} : { listed }),
        },
        held,
      });
    }
  }
  if (listed !== undefined) await applySetting(write, row, listedSetting(listed));
  // Platform staff may start a CVM even if its team has no funds.
  const { added, runs } = await costOf(trx, row.cvm, type, extra);
  const hold =
    of === undefined ? await claimFunds(ctx, trx, added, { app_id: row.app.id, deploys: false, runs }) : 0;
  // A running CVM stays so, and is billed for that: `starting` is billed as stopped.
  const during = type === 'start' && row.cvm.status === 'running' ? 'running' : transitions[type].during;
  const operation = await beginOperation(trx, { cvm: row.cvm, type, payload: extra, user_id, during });
  await insertHold(trx, operation, hold, {
    replaces: row.cvm.status !== 'running',
  });
  if (extra.revision_id !== undefined) await claimRevision(trx, extra.revision_id, operation);
  if (revision)
    await endWaitingForHash(trx, row.cvm.id, 'update', revision.compose_hash, operation.correlation_id);
  await ctx.jobs.enqueueOperation(trx, operation.correlation_id);
  const next =
    type === 'update' ? revision || (await revisionById(trx, extra.revision_id ?? row.revision.id)) : null;
  await audit({
    action: `cvm.${type}`,
    target_kind: 'cvm',
    target_id: row.cvm.public_id,
    team_id,
    before: {
      name: row.cvm.name,
      status: row.cvm.status,
      ...(next && revisionFacts(row.revision)),
      ...pick(row.cvm, extra),
    },
    after: {
      name: row.cvm.name,
      status: during,
      correlation_id: operation.correlation_id,
      ...(next && revisionFacts(next)),
      ...pick(extra, extra),
      ...(extra.reason === undefined ? {} : { reason: extra.reason }),
    },
  });
  const now: JoinedCvm = {
    ...row,
    cvm: { ...row.cvm, status: transitions[type].during },
    operation,
    latest_operation: operation,
  };
  return reply(now, operation, write);
}

/**
 * Returns, in micro-dollars per hour, what a change adds to the CVM's cost: everything if it boots a stopped one.
 * A CVM that stays stopped costs more with a larger disk. `runs`: the cost of running afterward; null if it
 * doesn't run.
 */
async function costOf(
  trx: Write['trx'],
  cvm: CvmRow,
  type: OperationType,
  {
    hourly_rate_micros = cvm.hourly_rate_micros,
    disk_rate_micros = cvm.disk_rate_micros,
    disk_gb = cvm.disk_gb,
    instance_type = cvm.instance_type,
  }: OperationPayload,
): Promise<{ added: number; runs: number | null }> {
  const after = {
    ...cvm,
    hourly_rate_micros,
    disk_rate_micros,
    disk_gb,
    ...(await coverAfter(trx, cvm, instance_type)),
  };
  if (outcome(type, cvm).target !== 'running')
    return {
      added: disk_gb > cvm.disk_gb ? Math.max(0, stoppedRateToPay(after) - stoppedRateToPay(cvm)) : 0,
      runs: null,
    };
  const before = cvm.status === 'running' ? rateToPay(cvm) : rateToPay(cvm) - rateToStart(cvm);
  return { added: Math.max(0, rateToPay(after) - before), runs: rateToStart(after) };
}

/** Operation fields whose old and new values are audited. */
const AUDITED = ['vcpu', 'memory_mb', 'disk_gb', 'instance_type', 'os_image'] as const;

/** Returns the audited fields of `from` that `change` sets. */
function pick(from: Pick<OperationPayload, (typeof AUDITED)[number]>, change: OperationPayload) {
  return Object.fromEntries(
    AUDITED.filter((key) => change[key] !== undefined).map((key) => [key, from[key] ?? null]),
  );
}

/** Audited fields of the revision before or after an update. */
const revisionFacts = ({ number, compose_hash }: Pick<RevisionRow, 'number' | 'compose_hash'>) => ({
  revision: number,
  compose_hash,
});

/** Records in the revision which operation created it. */
export async function claimRevision(
  trx: Write['trx'],
  revision_id: number,
  { correlation_id }: OperationRow,
): Promise<void> {
  await trx
    .updateTable('revisions')
    .set({ correlation_id })
    .where('id', '=', revision_id)
    .where('correlation_id', 'is', null)
    // Created in this transaction, or pending since: a change of values alone keeps an existing revision.
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('created_at', '=', sql<Date>`now()`),
        exists(
          selectFrom('approvals')
            .select('approvals.id')
            .whereRef('approvals.revision_id', '=', 'revisions.id'),
        ),
      ]),
    )
    .execute();
}

async function checkState(trx: Write['trx'], row: JoinedCvm, type: OperationType): Promise<void> {
  const { cvm } = row;
  if (allowedActions[type].from.includes(cvm.status)) return;
  refuseBusy(cvm, row.operation ?? (await liveOperation(trx, cvm.id)));
  throw new Problem('WRONG_STATE', {
    message: `“${cvm.name}” is ${cvm.status}. It must be ${allowedActions[type].from.join(' or ')} for this action (${type}).`,
    details: [{ field: 'status', value: cvm.status }],
  });
}
