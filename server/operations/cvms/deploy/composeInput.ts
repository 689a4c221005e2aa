import type { AppComposeInput } from '../../../../console/lib/compose/composeHash';
import { guestFieldsOf } from '../../../../console/lib/compose/guestFields';
import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import { Problem } from '../../../domain/core/problem';
import { checkedNames } from './envNames';

/** Request paths of the Compose file's fields, for errors. */
export const COMPOSE_FILE = 'compose_file.';

/** Builds the composition described by a request. @throws INCOMPATIBLE_CONFIG, COMPOSE_FILE_REQUIRED */
export function composeInput(body: ProvisionCvm): AppComposeInput {
  const file = body.compose_file;
  const docker_compose_file = file.docker_compose_file ?? '';
  if (file.runner === 'bash')
    throw new Problem('INCOMPATIBLE_CONFIG', {
      message:
        'The bash runner is not supported: apps are checked, shown and updated through their Compose file.',
      details: [{ field: 'compose_file.runner', value: file.runner }],
      suggestions: ['Put the script into a container, or set compose_file.pre_launch_script.'],
    });
  if (docker_compose_file.trim() === '')
    throw new Problem('COMPOSE_FILE_REQUIRED', {
      details: [{ field: 'compose_file.docker_compose_file', message: 'The Compose file is empty.' }],
    });
  return {
    name: file.name || body.name,
    docker_compose_file,
    pre_launch_script: file.pre_launch_script,
    allowed_envs: checkedNames(file.allowed_envs ?? body.env_keys ?? [], COMPOSE_FILE),
    kms_enabled: file.kms_enabled,
    gateway_enabled:
      file.gateway_enabled ??
      file.tproxy_enabled ??
      (body.skip_gateway === undefined ? undefined : !body.skip_gateway),
    public_logs: file.public_logs,
    public_sysinfo: file.public_sysinfo,
    public_tcbinfo: file.public_tcbinfo,
    secure_time: file.secure_time,
    storage_fs: file.storage_fs ?? body.storage_fs,
    ...guestFieldsOf({ ...file, runner: file.runner }),
  };
}
