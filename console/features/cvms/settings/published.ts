import type { CvmDetail } from '../../../../generated/api/types.gen';

/** Maximum images or names listed in one line. */
const MAX_NAMED = 20;

const listed = (all: readonly string[]): string =>
  all.length > MAX_NAMED
    ? `${all.slice(0, MAX_NAMED).join(', ')} and ${all.length - MAX_NAMED} more`
    : all.join(', ');

type Published = Pick<
  CvmDetail,
  'name' | 'app_name' | 'app_id' | 'os' | 'public_logs' | 'kms' | 'workspace' | 'compose_file' | 'services'
>;

/** Returns what everyone can read about a published CVM: the evidence contains all of app-compose.json. */
export function publishedValues(cvm: Published): string[] {
  const { name, app_name, app_id, os, public_logs, kms, workspace, compose_file: file } = cvm;
  // Uses the server's parse of the file, which resolves anchors and merge keys.
  const images = [
    ...new Set(cvm.services.map(({ image }) => image).filter((image) => typeof image === 'string')),
  ];
  const names = file?.allowed_envs ?? [];
  const scripts = [
    ...(file?.pre_launch_script ? ['pre-launch script'] : []),
    ...(file?.init_script?.length ? ['init script'] : []),
    ...(file?.bash_script ? ['bash script'] : []),
  ];
  return [
    `Team: ${workspace?.name ?? 'its name'}.`,
    `App: ${app_name}, ${app_id ?? 'without an ID yet'}.`,
    `The Compose file and its hash, including comments${images.length > 0 ? ` and images: ${listed(images)}` : ''}.`,
    names.length > 0
      ? `Secret names, but not their values: ${listed(names)}.`
      : 'No secret names, because it has no secrets.',
    ...(scripts.length > 0 ? [`Contents of its ${scripts.join(' and ')}.`] : []),
    `CVM: ${name}, its state and start time, ${os?.name ?? 'its OS image'}, ${kms?.slug ? `KMS ${kms.slug}` : 'its KMS'}, evidence with the rest of app-compose.json, and that its container logs are ${public_logs ? 'public' : 'private'}.`,
    'The compose hash, OS image and time of every app version, and the owners of its contract.',
    'Future Compose file changes between versions that run while it is published.',
  ];
}
