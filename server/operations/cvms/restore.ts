import type { JoinedCvm } from '../../db/cvmRows';
import { insertRevision } from '../../db/revisions';
import type { OperationPayload, RevisionRow } from '../../db/schema';
import { publicId } from '../../domain/publicId';
import type { RevisionRefFields } from '../../domain/wire/refs';
import type { Context, Write } from '../types';
import { checkedEnv } from './encryptedEnv';
import { checkedImage, storedCompose } from './update';

export interface Restored {
  /** Of the update operation that puts it in place. */
  payload: OperationPayload & { revision_id: number };
  revision: RevisionRefFields;
  /** Null when the CVM runs these bytes already, and so is only booted with them again. */
  restores: RevisionRefFields | null;
  /** Names it uses that the present environment lacks. */
  missing_envs: string[];
}

/**
 * The way back to an earlier revision: the same bytes and compose hash, OS image and visibility, as a new entry of the
 * history that says which one it brings back, so that the history stays a line. Values of the environment are not part
 * of a revision: they stay as they are, unless new ones are given.
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
  const os_image = await checkedImage(trx, row, target.os_image ?? undefined);
  const { public_logs, public_sysinfo, public_tcbinfo } = storedCompose.parse(JSON.parse(target.app_compose));
  const payload: OperationPayload = {
    public_logs,
    public_sysinfo,
    public_tcbinfo,
    ...(encrypted_env ? { encrypted_env } : {}),
    ...(os_image ? { os_image } : {}),
    ...(given.reason ? { reason: given.reason } : {}),
  };
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
    created_by: ctx.caller.user?.id ?? null,
  });
  return { payload: { ...payload, revision_id: made.id }, revision: made, restores: target, missing_envs };
}
