import type { ProvisionCvmComposeFile } from '../../../../generated/api/types.gen';
import type { ComposeDraftChange } from '../../../db/apps/composeDraftsTable';
import { Problem } from '../../../domain/core/problem';

interface Measured {
  kms_enabled: boolean;
  storage_fs: string;
  runner?: string | undefined;
}

/** Returns the changed and changeable parts of the file. @throws for parts that are fixed in an existing VM */
export function draftChange(body: ProvisionCvmComposeFile, present: Measured): ComposeDraftChange {
  const { runner, kms_enabled, storage_fs, docker_compose_file } = body;
  if (runner !== undefined && runner !== (present.runner ?? 'docker-compose'))
    throw fixed('runner', runner, "The runner can't be changed. Deploy a new CVM instead.");
  if (kms_enabled !== undefined && kms_enabled !== present.kms_enabled)
    throw fixed('kms_enabled', kms_enabled, 'Its disk keys depend on it. Deploy a new CVM to change it.');
  if (storage_fs && storage_fs !== present.storage_fs)
    throw fixed('storage_fs', storage_fs, 'The disk is already formatted. Deploy a new CVM to change it.');
  if (docker_compose_file !== undefined && docker_compose_file.trim() === '')
    throw new Problem('COMPOSE_FILE_REQUIRED', {
      details: [{ field: 'docker_compose_file', message: 'The Compose file is empty.' }],
    });
  return JSON.parse(
    JSON.stringify({
      name: body.name || undefined,
      docker_compose_file,
      pre_launch_script: body.pre_launch_script ?? (body.pre_launch_script === null ? '' : undefined),
      allowed_envs: body.allowed_envs,
      gateway_enabled: body.gateway_enabled ?? body.tproxy_enabled,
      public_logs: body.public_logs,
      public_sysinfo: body.public_sysinfo,
      public_tcbinfo: body.public_tcbinfo,
      secure_time: body.secure_time,
      init_script: body.init_script,
      swap_size: body.swap_size,
      key_provider_id: body.key_provider_id,
      event_log_version: body.event_log_version,
      port_policy: body.port_policy,
      requirements: body.requirements,
      verity_volumes: body.verity_volumes,
    }),
  ) as ComposeDraftChange;
}

const fixed = (field: string, value: unknown, message: string) =>
  new Problem('INCOMPATIBLE_CONFIG', {
    message: `${field}: ${message}`,
    details: [{ field, value, message }],
  });
