import {
  GUEST_FIELDS,
  guestFieldsOf,
  minimumOf,
  swapBytes,
  type GuestField,
  type GuestFields,
} from '../../../console/lib/compose/guestFields';
import { compareVersions } from '../cvms/imageVersion';
import { Problem } from '../core/problem';

export interface GuestHost {
  teepod_name: string;
  kind: 'dstack_vmm' | 'local';
  /** Null before its first reply. */
  version: string | null;
}

export interface GuestImage {
  name: string;
  version: string;
}

export interface Unsupported {
  field: GuestField;
  /** A sentence. */
  reason: string;
}

/** Returns the fields of a stored app-compose.json. */
export const guestFieldsIn = (app_compose: string): GuestFields =>
  guestFieldsOf(JSON.parse(app_compose) as GuestFields);

/** Returns the first field that the host or the image would ignore or refuse, or null. */
export function unsupportedField(
  compose: GuestFields,
  host: GuestHost,
  image: GuestImage,
): Unsupported | null {
  const fields = guestFieldsOf(compose);
  for (const field of GUEST_FIELDS) {
    if (fields[field] === undefined) continue;
    const says = (reason: string): Unsupported => ({ field, reason });
    if (host.kind === 'local')
      return says(
        `The host ${host.teepod_name} is a local teepod, which doesn't support ${named(field, fields)}.`,
      );
    const minimum = minimumOf(field, fields);
    if (compareVersions(image.version, minimum.image) < 0)
      return says(
        `${named(field, fields)} requires an OS image with dstack ${minimum.image} or later; ${image.name} has ${image.version}.`,
      );
    if (minimum.host && host.version !== null && compareVersions(host.version, minimum.host) < 0)
      return says(
        `${named(field, fields)} requires a host with dstack-vmm ${minimum.host} or later; ${host.teepod_name} has ${host.version}.`,
      );
  }
  return null;
}

const named = (field: GuestField, { runner, init_script }: GuestFields) =>
  field === 'runner'
    ? `the ${runner} runner`
    : field === 'init_script' && Array.isArray(init_script)
      ? 'a list of init scripts'
      : field;

/** @param at path of the compose file in the request */
export function unsupportedProblem({ field, reason }: Unsupported, at: string): Problem {
  const message = reason.replace(/^./, (first) => (reason.startsWith(field) ? first : first.toUpperCase()));
  return new Problem('INCOMPATIBLE_CONFIG', {
    message,
    details: [{ field: `${at}${field}`, message }],
    suggestions: [
      field === 'runner'
        ? 'Use another host or OS image, or the docker-compose runner.'
        : `Use another host or OS image, or leave ${field} out.`,
    ],
  });
}

/** @throws INCOMPATIBLE_CONFIG for combinations that no version of dstack accepts */
export function checkGuestFields(
  compose: GuestFields,
  kms: { slug: string; ca_pubkey: string | null },
  disk_gb: number,
  at: string,
) {
  const { snapshotter, runner, verity_volumes = [], key_provider_id, port_policy } = guestFieldsOf(compose);
  const refuse = (field: GuestField, message: string, suggestion: string) =>
    new Problem('INCOMPATIBLE_CONFIG', {
      message,
      details: [{ field: `${at}${field}`, message }],
      suggestions: [suggestion],
    });
  if (snapshotter && runner !== 'nerdctl-compose')
    throw refuse(
      'snapshotter',
      'snapshotter is only valid with the nerdctl-compose runner.',
      'Set runner to nerdctl-compose, or leave snapshotter out.',
    );
  if (swapBytes(compose) >= disk_gb * 1024 ** 3)
    throw refuse(
      'swap_size',
      `swap_size must be smaller than the disk (${disk_gb} GB), because swap is part of it.`,
      'Choose less swap or a larger disk.',
    );
  const targets = verity_volumes.map(({ target }) => target);
  const twice = targets.find((target, i) => targets.indexOf(target) !== i);
  if (twice !== undefined)
    throw refuse(
      'verity_volumes',
      `Two volumes have the target ${twice}.`,
      'Use a different target for each.',
    );
  const ports = (port_policy?.ports ?? []).map(({ port }) => port);
  const repeated = ports.find((port, i) => ports.indexOf(port) !== i);
  if (repeated !== undefined)
    throw refuse('port_policy', `Port ${repeated} is listed twice.`, 'List each port once.');
  const ca = kms.ca_pubkey?.replace(/^0x/i, '').toLowerCase();
  if (key_provider_id !== undefined && ca !== undefined && key_provider_id !== ca)
    throw refuse(
      'key_provider_id',
      `key_provider_id isn't the root CA key of the key management service “${kms.slug}”, so the guest would refuse its keys.`,
      `Use ${ca}, or choose another KMS with kms_id.`,
    );
}
