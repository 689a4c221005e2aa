import { addEvent } from '../../../db/activity/operations';
import { insertApproval, type ReplacedApproval } from '../../../db/apps/approvals';
import type { ApprovalKind, ApprovalPayload } from '../../../db/apps/approvalsTable';
import { revisionById } from '../../../db/apps/revisions';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { kmsOut } from '../../../domain/catalog/catalogResponse';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context, Write } from '../../types';
import type { Held } from './gate';

interface Waiting {
  row: JoinedCvm;
  kind: ApprovalKind;
  revision: { id: number; number: number; compose_hash: string };
  device_ids: readonly string[];
  payload: ApprovalPayload;
  held: Held;
}

/**
 * Stores a change until its contract allows it. Returns the 465 reply; the caller must return it, not throw it,
 * so that its transaction commits what is stored here.
 */
export async function awaitApproval(
  ctx: Context,
  { trx, audit }: Write,
  { row, kind, revision, device_ids, payload, held }: Waiting,
): Promise<Problem> {
  const { cvm, app } = row;
  const devices = [...new Set(device_ids)];
  const { token, public_id, expires_at, replaced } = await insertApproval(trx, {
    team_id: cvm.team_id,
    app_id: app.id,
    cvm_id: cvm.id,
    kind,
    payload,
    revision_id: revision.id,
    base_revision_id: row.revision.id,
    compose_hash: revision.compose_hash,
    device_ids: devices,
    requested_by: ctx.caller.user?.id ?? null,
  });
  for (const one of replaced)
    if (one.revision_id !== revision.id || one.device_ids.join() !== devices.join())
      await recordReplaced(trx, cvm, kind, one, revision);
  await addEvent(trx, {
    cvm,
    kind: 'update.pending_approval',
    message: `${WHAT[kind]} is waiting until the app’s contract allows revision ${revision.number}`,
    data: { compose_hash: revision.compose_hash, approval_id: public_id },
  });
  await audit({
    action: 'cvm.approval.request',
    target_kind: 'cvm',
    target_id: cvm.public_id,
    team_id: cvm.team_id,
    after: {
      name: cvm.name,
      kind,
      approval_id: public_id,
      compose_hash: revision.compose_hash,
      ...(replaced[0] ? { replaces: replaced[0].public_id } : {}),
    },
  });
  const { boot, decision } = held;
  const address = `cvms/${cvm.vm_uuid}`;
  const page = `${ctx.config.publicUrl}/${teamOf(ctx).slug}/${address}/kms`;
  const commit =
    kind === 'rollout'
      ? `apps/${app.app_id}/approvals/${public_id}/commit`
      : `${address}/${kind === 'update' ? 'commit-update' : 'commit-replica'}?token=${token}`;
  const details: [string, unknown][] = [
    ['compose_hash', revision.compose_hash],
    ['app_id', app.app_id],
    ['device_id', boot.device_id ?? ''],
    ['kms_info', row.kms && kmsOut(row.kms)],
    ['commit_token', token],
    ['commit_url', page],
    ['api_commit_url', `${ctx.config.publicUrl}/api/v1/${commit}`],
    [
      'onchain_status',
      {
        compose_hash_allowed: decision.compose_hash_allowed,
        device_id_allowed: decision.allow_any_device || decision.device_id_allowed === true,
        is_allowed: decision.is_allowed,
      },
    ],
    ['approval_id', public_id],
    ['expires_at', expires_at.toISOString()],
  ];
  return new Problem('HASH_REGISTRATION_REQUIRED', {
    message: 'Compose hash registration required on-chain',
    details: details.map(([field, value]) => ({ field, value })),
    links: [{ label: 'Open the waiting change', url: page }],
  });
}

/** Signers may be about to allow a hash that is no longer needed. Repeating the same change replaces nothing. */
async function recordReplaced(
  trx: Write['trx'],
  cvm: JoinedCvm['cvm'],
  kind: ApprovalKind,
  { public_id, revision_id, compose_hash }: ReplacedApproval,
  by: Waiting['revision'],
): Promise<void> {
  const { number } = await revisionById(trx, revision_id);
  await addEvent(trx, {
    cvm,
    kind: 'update.replaced',
    message: `${waitingChange(kind, number)} was replaced by one with revision ${by.number}`,
    data: { compose_hash, approval_id: public_id },
  });
}

/** Names a dropped change, as the subject of a sentence. */
export const waitingChange = (kind: ApprovalKind, number: number): string =>
  `${GIVEN_UP[kind]} revision ${number}, which waited for the app's contract,`;

const GIVEN_UP: Readonly<Record<ApprovalKind, string>> = {
  update: 'The update to',
  replica: 'The new replica with',
  rollout: 'The rollout of',
};

const WHAT: Readonly<Record<ApprovalKind, string>> = {
  update: 'An update',
  replica: 'A new replica',
  rollout: 'A rollout',
};
