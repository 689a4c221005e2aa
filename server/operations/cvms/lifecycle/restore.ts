import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import { insertRevision, waitingRevision } from '../../../db/apps/revisions';
import type { OperationPayload } from '../../../db/activity/operationsTable';
import type { RevisionRow } from '../../../db/apps/revisionsTable';
import { publicId } from '../../../domain/core/publicId';
import type { RevisionRefFields } from '../../../domain/core/references';
import type { Context, Write } from '../../types';
import { governedBy } from '../../kms/onChain';
import { checkedEnv } from '../deploy/encryptedEnv';
import { checkedImage, storedCompose } from '../settings/update';

export interface Restored {
  /** Payload of the update operation that applies it. */
  payload: OperationPayload & { revision_id: number };
  revision: RevisionRefFields;
  /** Null if the CVM already runs these bytes and is only restarted with them. */
  restores: RevisionRefFields | null;
  /** Variable names it uses that the current environment lacks. */
  missing_envs: string[];
}

/**
 * Rolls back to an earlier revision: the same bytes and compose hash, OS image and visibility, as a new
 * history entry that names the restored one, so that the history stays linear. Environment values aren't
 * part of a revision: they are kept unless new ones are given.
 */
export async function restoreRevision(
  ctx: Context,
  { trx }: Write,
  row: JoinedCvm,
  target: RevisionRow,
  given: { reason?: string | undefined; encrypted_env?: string | undefined },
): Promise<Restored> {
  const { cvm, app, revision: present } = row;
  const encrypted_env = checkedEnv(given.encrypted_env);
  const os_image = await checkedImage(trx, row, target.os_image ?? undefined, 'revision_id');
  const { public_logs, public_sysinfo, public_tcbinfo } = storedCompose.parse(JSON.parse(target.app_compose));
  const payload: OperationPayload = {
    public_logs,
    public_sysinfo,
    public_tcbinfo,
    ...(encrypted_env ? { encrypted_env } : {}),
    ...(os_image ? { os_image } : {}),
    ...(given.reason ? { reason: given.reason } : {}),
  };
  // A revision that no CVM has run isn't gone back to.
  const rollback = target.live_at ? { rolls_back: true } : {};
  const missing_envs = encrypted_env
    ? []
    : target.allowed_envs.filter((name) => !present.allowed_envs.includes(name));
  if (target.compose_hash === present.compose_hash && !os_image)
    return {
      payload: { ...payload, revision_id: present.id },
      revision: present,
      restores: null,
      missing_envs,
    };
  const waiting =
    governedBy(row.kms) &&
    (await waitingRevision(trx, {
      app_id: app.id,
      compose_hash: target.compose_hash,
      os_image: os_image ?? cvm.os_image,
      restores_id: target.id,
    }));
  if (waiting)
    return {
      payload: { ...payload, ...rollback, revision_id: waiting.id },
      revision: waiting,
      restores: target,
      missing_envs,
    };
  const made = await insertRevision(trx, {
    public_id: publicId('rev'),
    app_id: app.id,
    app_compose: target.app_compose,
    compose_hash: target.compose_hash,
    docker_compose_file: target.docker_compose_file,
    pre_launch_script: target.pre_launch_script,
    allowed_envs: target.allowed_envs,
    os_image: os_image ?? cvm.os_image,
    operation_type: target.live_at ? 'rollback' : 'redeploy',
    reason: given.reason || null,
    restores_id: target.id,
    template_version_id: target.template_version_id,
    created_by: ctx.caller.user?.id ?? null,
  });
  return {
    payload: { ...payload, ...rollback, revision_id: made.id },
    revision: made,
    restores: target,
    missing_envs,
  };
}
