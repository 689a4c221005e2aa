import { z } from 'zod';
import { GUEST_FIELDS, type GuestFields } from '../../../../console/lib/compose/guestFields';
import type { AppComposeInput } from '../../../../console/lib/compose/composeHash';
import {
  zGuestRequirements,
  zInitScript,
  zPortPolicy,
  zSwapSize,
  zVerityVolumeList,
} from '../../../../generated/api/zod.gen';
import type { TemplateRef } from '../../../../generated/api/types.gen';
import type { JoinedCvm } from '../../../db/cvms/cvmRows';
import type { OperationPayload } from '../../../db/activity/operationsTable';
import { Problem } from '../../../domain/core/problem';
import { publicId } from '../../../domain/core/publicId';
import { insertRevision, waitingRevision } from '../../../db/apps/revisions';
import type { Context, Write } from '../../types';
import { governedBy } from '../../kms/onChain';
import { checkedNames } from '../deploy/envNames';
import { checkedEnv } from '../deploy/encryptedEnv';
import { checkedAppCompose } from '../deploy/checkedCompose';
import { requireGuestSupport } from '../deploy/guestSupport';
import { templateVersionOf } from '../../catalog/templateVersion';
import { refuseDevelopmentImage } from './gatewayImage';

export interface RevisionChange extends Omit<GuestFields, 'runner' | 'snapshotter'> {
  docker_compose_file?: string | undefined;
  pre_launch_script?: string | undefined;
  allowed_envs?: readonly string[] | undefined;
  public_logs?: boolean | undefined;
  public_sysinfo?: boolean | undefined;
  public_tcbinfo?: boolean | undefined;
  name?: string | undefined;
  gateway_enabled?: boolean | undefined;
  secure_time?: boolean | undefined;
  encrypted_env?: string | null | undefined;
  image?: string | undefined;
  /** The request's field name, `image` if absent. */
  image_field?: string | undefined;
  user_config?: string | undefined;
  /** Reason, for the history. */
  reason?: string | undefined;
  /** The template version that the new Compose file comes from. */
  template?: TemplateRef | undefined;
}

/** A revision's measured settings besides its texts, including older files. */
export const storedCompose = z.object({
  name: z.string(),
  docker_compose_file: z.string(),
  pre_launch_script: z.string().optional(),
  allowed_envs: z.array(z.string()),
  kms_enabled: z.boolean(),
  gateway_enabled: z.boolean(),
  public_logs: z.boolean(),
  public_sysinfo: z.boolean(),
  public_tcbinfo: z.boolean(),
  secure_time: z.boolean(),
  storage_fs: z.enum(['ext4', 'zfs']),
  runner: z.enum(['docker-compose', 'nerdctl-compose']).optional(),
  snapshotter: z.enum(['overlayfs', 'stargz']).optional(),
  init_script: zInitScript.optional(),
  swap_size: zSwapSize.optional(),
  key_provider_id: z.string().optional(),
  event_log_version: z.number().optional(),
  port_policy: zPortPolicy.optional(),
  requirements: zGuestRequirements.optional(),
  verity_volumes: zVerityVolumeList.optional(),
});

/** Returns a revision's measured settings with a change applied. */
export function composeAfter(
  revision: { app_compose: string },
  change: RevisionChange,
): { before: z.infer<typeof storedCompose>; compose: AppComposeInput } {
  const before = storedCompose.parse(JSON.parse(revision.app_compose));
  const guest: GuestFields = Object.fromEntries(
    GUEST_FIELDS.map((field) => [
      field,
      field === 'runner' || field === 'snapshotter' ? before[field] : (change[field] ?? before[field]),
    ]),
  );
  const compose: AppComposeInput = {
    ...before,
    ...guest,
    name: change.name ?? before.name,
    docker_compose_file: change.docker_compose_file ?? before.docker_compose_file,
    pre_launch_script: change.pre_launch_script ?? before.pre_launch_script,
    allowed_envs: change.allowed_envs ?? before.allowed_envs,
    gateway_enabled: change.gateway_enabled ?? before.gateway_enabled,
    secure_time: change.secure_time ?? before.secure_time,
    public_logs: change.public_logs ?? before.public_logs,
    public_sysinfo: change.public_sysinfo ?? before.public_sysinfo,
    public_tcbinfo: change.public_tcbinfo ?? before.public_tcbinfo,
  };
  return { before, compose };
}

/**
 * Returns the next revision of a CVM's app, or none if only environment values change: those aren't part of
 * the compose hash. The old revision stays live until the host runs the new one.
 */
export async function nextRevision(
  ctx: Context,
  { trx }: Write,
  row: JoinedCvm,
  change: RevisionChange,
): Promise<OperationPayload & { allowed_envs_changed: boolean }> {
  const { cvm, app, revision } = row;
  const { before, compose } = composeAfter(revision, change);
  if (change.template && change.docker_compose_file === undefined)
    throw new Problem('INVALID_REQUEST', {
      message: 'template has no effect without docker_compose_file.',
      details: [{ field: 'template', value: change.template.id }],
      suggestions: ["Send the template's Compose file, or leave template out."],
    });
  const template_version_id = await templateVersionOf(ctx, trx, change.template);
  if (change.allowed_envs && change.allowed_envs.join() !== before.allowed_envs.join())
    checkedNames(change.allowed_envs, '');
  const next = await checkedAppCompose(ctx, compose, before.docker_compose_file);
  const encrypted_env = checkedEnv(change.encrypted_env);
  const os_image = await checkedImage(trx, row, change.image, change.image_field);
  await requireGuestSupport(trx, row, compose, os_image);
  const payload: OperationPayload = {
    ...(encrypted_env ? { encrypted_env } : {}),
    ...(os_image ? { os_image } : {}),
    ...(change.user_config === undefined ? {} : { user_config: change.user_config }),
    ...(change.reason ? { reason: change.reason } : {}),
    public_logs: compose.public_logs ?? true,
    public_sysinfo: compose.public_sysinfo ?? true,
    public_tcbinfo: compose.public_tcbinfo ?? true,
  };
  const allowed_envs_changed = JSON.stringify(compose.allowed_envs) !== JSON.stringify(before.allowed_envs);
  if (next.compose_hash === revision.compose_hash && !os_image)
    return { ...payload, revision_id: revision.id, allowed_envs_changed };
  const waiting =
    governedBy(row.kms) &&
    (await waitingRevision(trx, {
      app_id: app.id,
      compose_hash: next.compose_hash,
      os_image: os_image ?? cvm.os_image,
      restores_id: null,
    }));
  if (waiting) return { ...payload, revision_id: waiting.id, allowed_envs_changed };
  const made = await insertRevision(trx, {
    public_id: publicId('rev'),
    app_id: app.id,
    app_compose: next.bytes,
    compose_hash: next.compose_hash,
    docker_compose_file: compose.docker_compose_file,
    pre_launch_script: compose.pre_launch_script || null,
    allowed_envs: [...(compose.allowed_envs ?? [])],
    os_image: os_image ?? cvm.os_image,
    operation_type: 'update',
    reason: change.reason || null,
    created_by: ctx.caller.user?.id ?? null,
    template_version_id: template_version_id ?? revision.template_version_id,
  });
  return { ...payload, revision_id: made.id, allowed_envs_changed };
}

/**
 * Returns the image's full name if the CVM's host has it and it differs from the current one.
 * @param field the request field that names it
 * @throws IMAGE_NOT_FOUND, INCOMPATIBLE_CONFIG for an AI gateway
 */
export async function checkedImage(
  trx: Write['trx'],
  row: JoinedCvm,
  image: string | undefined,
  field = 'image',
): Promise<string | undefined> {
  if (image === undefined || image === row.cvm.os_image) return undefined;
  const found = await trx
    .selectFrom('os_images')
    .innerJoin('teepod_os_images', 'teepod_os_images.os_image_id', 'os_images.id')
    .select(['os_images.name', 'os_images.is_dev', 'os_images.requires_gpu'])
    .where('teepod_os_images.teepod_id', '=', row.cvm.teepod_id)
    .where((eb) => eb.or([eb('os_images.name', '=', image), eb('os_images.slug', '=', image)]))
    .executeTakeFirst();
  if (!found)
    throw new Problem('IMAGE_NOT_FOUND', {
      message: `The host ${row.teepod.name} doesn't have the OS image “${image}”.`,
      details: [{ field, value: image }],
    });
  if (found.requires_gpu && row.cvm.gpus === 0) {
    const message = `The OS image “${found.name}” is for CVMs with a GPU; “${row.cvm.name}” has none.`;
    throw new Problem('IMAGE_NOT_FOUND', {
      message,
      details: [{ field, value: image, message }],
      suggestions: ['Choose an image that listCvmOsImages returns for this CVM.'],
    });
  }
  await refuseDevelopmentImage(trx, row.app, found, field);
  return found.name;
}
