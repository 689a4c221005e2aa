import { waitingOfApp, type ShownApproval } from '../../db/apps/approvals';
import { devicesForKms } from '../../db/apps/isAllowed';
import { cvmRef, revisionRef, userRef } from '../../domain/core/references';
import { teamOf } from '../core/caller';
import { supersededBy } from '../cvms/onChain/superseded';
import type { Handler } from '../types';
import { appOf } from './appId';
import { decideIsAllowed, sameDevice, type Question } from './isAllowed';

const MAX_APPROVALS = 50;

/** Pending approvals are stored; whether they are allowed is read from the chain now. */
export const listApprovals: Handler<'listApprovals'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const waiting = await waitingOfApp(ctx.db, app.id, MAX_APPROVALS);
  if (waiting.length === 0) return { status: 200, body: [] };
  const asked = waiting.map(questionsOf);
  const [{ decisions }, machines] = await Promise.all([
    decideIsAllowed(ctx, app, asked.flat()),
    app.kms_id === null ? [] : devicesForKms(ctx.db, teamOf(ctx).id, app.kms_id),
  ]);
  let next = 0;
  const body = waiting.map(({ approval, revision, base_revision, cvm, creator, overtaken_by }, i) => {
    const own = decisions.slice(next, (next += asked[i]?.length ?? 0));
    const [first] = own;
    const unknown = first === undefined || own.some((one) => one.device_id_allowed === null);
    const refused = own.find((one) => !one.is_allowed);
    return {
      approval_id: approval.public_id,
      kind: approval.kind,
      cvm: cvmRef({ ...cvm, app_id: app.app_id }),
      revision: revisionRef(revision),
      base_revision: revisionRef(base_revision),
      compose_hash: approval.compose_hash,
      compose_hash_allowed: unknown ? null : first.compose_hash_allowed,
      devices: own.map((one) => ({
        device_id: one.device_id,
        name: machines.find(({ device_id }) => sameDevice(device_id, one.device_id))?.name ?? null,
        allowed: unknown ? null : one.allow_any_device || one.device_id_allowed === true,
      })),
      // Regardless of the contract.
      is_allowed: overtaken_by !== null ? false : unknown ? null : refused === undefined,
      error: overtaken_by === null ? (refused?.error ?? null) : supersededBy(overtaken_by),
      overtaken: overtaken_by !== null,
      requested_by: userRef(creator),
      created_at: approval.created_at.toISOString(),
      expires_at: approval.expires_at.toISOString(),
    };
  });
  return { status: 200, body };
};

const questionsOf = ({ approval, os_image_hash }: ShownApproval): Question[] =>
  (approval.device_ids.length === 0 ? [''] : approval.device_ids).map((device_id) => ({
    compose_hash: approval.compose_hash,
    device_id,
    os_image_hash,
  }));
