import type { ProvisionCvmComposeFile } from '../../../generated/api/types.gen';
import type { ComposeDraftChange } from '../../db/schemaCvmSettings';
import { Problem } from '../../domain/problem';

interface Measured {
  kms_enabled: boolean;
  storage_fs: string;
}

/** What of the file differs or may differ. @throws for what a VM that is there cannot change any more */
export function draftChange(body: ProvisionCvmComposeFile, present: Measured): ComposeDraftChange {
  const { runner, kms_enabled, storage_fs, docker_compose_file } = body;
  if (runner !== undefined && runner !== 'docker-compose')
    throw fixed('runner', runner, 'Only the docker-compose runner is offered.');
  if (kms_enabled !== undefined && kms_enabled !== present.kms_enabled)
    throw fixed('kms_enabled', kms_enabled, 'The keys of its disk depend on it; deploy anew to change it.');
  if (storage_fs && storage_fs !== present.storage_fs)
    throw fixed('storage_fs', storage_fs, 'The disk is formatted already; deploy anew to change it.');
  if (docker_compose_file !== undefined && docker_compose_file.trim() === '')
    throw new Problem('COMPOSE_FILE_REQUIRED', {
      details: [{ field: 'docker_compose_file', message: 'It is empty.' }],
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
    }),
  ) as ComposeDraftChange;
}

const fixed = (field: string, value: unknown, message: string) =>
  new Problem('INCOMPATIBLE_CONFIG', {
    message: `${field}: ${message}`,
    details: [{ field, value, message }],
  });
