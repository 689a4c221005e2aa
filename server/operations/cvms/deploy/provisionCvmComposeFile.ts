import { findCvm } from '../../../db/cvms/cvmLookup';
import { keepDraft } from '../../../db/apps/composeDrafts';
import { kmsOut } from '../../../domain/catalog/catalogResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { draftChange } from './composeDraft';
import { requireGuestSupport } from './guestSupport';
import { analyzeAhead, checkedAppCompose } from './checkedCompose';
import { decideIsAllowed } from '../../apps/isAllowed';
import { governedBy } from '../../kms/onChain';
import { notAllowed } from '../onChain/gate';
import { composeAfter } from '../settings/update';

/** Changes nothing yet: the client reviews the hash and then commits it. */
export const provisionCvmComposeFile: Handler<'provisionCvmComposeFile'> = async ({ path, body, ctx }) => {
  await analyzeAhead(ctx, body.docker_compose_file);
  const { row, compose_hash } = await ctx.write(async ({ trx, audit }) => {
    const row = await findCvm(trx, teamOf(ctx).id, path.cvm_id, { lock: true });
    const { cvm, revision } = row;
    const { before } = composeAfter(revision, {});
    const change = draftChange(body, before);
    const { compose } = composeAfter(revision, change);
    await requireGuestSupport(trx, row, compose);
    const { compose_hash } = await checkedAppCompose(ctx, compose, before.docker_compose_file);
    await keepDraft(trx, { cvm_id: cvm.id, compose_hash, change });
    await audit({
      action: 'cvm.provision_compose',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      after: { compose_hash },
    });
    return { row, compose_hash };
  });
  const { app, node, kms } = row;
  const device_id = node.device_id ?? '';
  const { decisions, is_final } = await decideIsAllowed(ctx, app, [{ compose_hash, device_id }]);
  const [decision] = decisions;
  // The client would register the hash next, which is impossible.
  if (is_final && decision && !decision.is_allowed)
    throw notAllowed({
      boot: { compose_hash, device_id: node.device_id, os_image_hash: null },
      decision,
      is_final,
    });
  return {
    status: 200,
    body: {
      app_id: app.app_id,
      device_id: node.device_id,
      compose_hash,
      kms_info: kms && kmsOut(kms),
      // A central key service needs no registration.
      compose_hash_registered: governedBy(kms) === null || decision?.compose_hash_allowed === true,
    },
  };
};
