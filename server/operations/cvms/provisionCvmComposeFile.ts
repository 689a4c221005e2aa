import { findCvm } from '../../db/cvmLookup';
import { keepDraft } from '../../db/composeDrafts';
import { kmsOut } from '../../domain/wire/catalogue';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { draftChange } from './composeDraft';
import { checkedAppCompose } from './plan';
import { composeAfter } from './update';

/** Nothing changes yet: the hash is for the client to look at, and to commit. */
export const provisionCvmComposeFile: Handler<'provisionCvmComposeFile'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { cvm, app, revision, node, kms } = await findCvm(trx, teamOf(ctx).id, path.cvm_id, { lock: true });
    const { before } = composeAfter(revision, {});
    const change = draftChange(body, before);
    const { compose_hash } = checkedAppCompose(composeAfter(revision, change).compose);
    await keepDraft(trx, { cvm_id: cvm.id, compose_hash, change });
    await audit({
      action: 'cvm.provision_compose',
      target_kind: 'cvm',
      target_id: cvm.public_id,
      after: { compose_hash },
    });
    return {
      status: 200 as const,
      body: {
        app_id: app.app_id,
        device_id: node.device_id,
        compose_hash,
        kms_info: kms && kmsOut(kms),
        compose_hash_registered: kms?.chain_id == null,
      },
    };
  });
