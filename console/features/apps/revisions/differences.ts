import type { AppRevisionDetail } from '../../../../generated/api/types.gen';

export interface FactRow {
  label: string;
  before: string;
  after: string;
  changed: boolean;
}

/** What two revisions differ in beside their texts. */
export function factsOf(before: AppRevisionDetail, after: AppRevisionDetail): FactRow[] {
  const row = (label: string, of: (revision: AppRevisionDetail) => string): FactRow => {
    const [a, b] = [of(before), of(after)];
    return { label, before: a, after: b, changed: a !== b };
  };
  return [
    row('Compose hash', ({ compose_hash }) => compose_hash),
    row('OS image', ({ os_image, os_image_hash }) =>
      os_image === null ? '—' : os_image_hash === null ? os_image : `${os_image} (${os_image_hash})`,
    ),
    row('KMS', ({ kms }) => (kms === null ? '—' : kms.slug ? `${kms.slug} (${kms.id})` : kms.id)),
    ...flags.map(([name, label]) => row(label, (revision) => flagOf(revision, name))),
  ];
}

const flags = [
  ['public_logs', 'Logs public'],
  ['public_sysinfo', 'System information public'],
  ['public_tcbinfo', 'Measurements public'],
  ['gateway_enabled', 'Gateway'],
  ['kms_enabled', 'Keys from the KMS'],
] as const;

function flagOf({ compose_file }: AppRevisionDetail, name: (typeof flags)[number][0]): string {
  const file = typeof compose_file === 'object' ? compose_file : null;
  const value = file?.[name];
  return value === undefined ? '—' : value ? 'yes' : 'no';
}

export interface NameChange {
  name: string;
  kind: 'added' | 'removed';
}

/** Names of environment variables that came or went. */
export function namesChanged(before: readonly string[], after: readonly string[]): NameChange[] {
  return [
    ...before.filter((name) => !after.includes(name)).map((name): NameChange => ({ name, kind: 'removed' })),
    ...after.filter((name) => !before.includes(name)).map((name): NameChange => ({ name, kind: 'added' })),
  ];
}

export interface ImageRow {
  service: string;
  before: ImageSide | null;
  after: ImageSide | null;
  changed: boolean;
}
export interface ImageSide {
  image: string;
  /** The digest in the compose file, else what the host said it ran. */
  digest: string | null;
  /** false: a tag names whatever the registry has that day. */
  pinned: boolean;
}

/** Each service's image on both sides, with the digest that ran, as far as it is known. */
export function imagesOf(before: AppRevisionDetail, after: AppRevisionDetail): ImageRow[] {
  const services = [...new Set([...before.images, ...after.images].map(({ service }) => service))];
  return services.map((service) => {
    const [a, b] = [sideOf(before, service), sideOf(after, service)];
    return { service, before: a, after: b, changed: a?.image !== b?.image || a?.digest !== b?.digest };
  });
}

function sideOf({ images }: AppRevisionDetail, service: string): ImageSide | null {
  const found = images.find((image) => image.service === service);
  if (!found) return null;
  return {
    image: found.image ?? 'built from a Dockerfile',
    digest: found.pinned ?? found.resolved,
    pinned: found.pinned !== null,
  };
}
