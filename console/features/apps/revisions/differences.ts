import type { AppRevisionDetail } from '../../../../generated/api/types.gen';

export interface FactRow {
  label: string;
  before: StatedValue;
  after: StatedValue;
  changed: boolean;
}

/** A name, an ID, or a name with the ID or hash it stands for; neither if unknown. */
export interface StatedValue {
  text?: string;
  id?: string;
}

/** Differences between two revisions other than their files. */
export function factsOf(before: AppRevisionDetail, after: AppRevisionDetail): FactRow[] {
  const row = (label: string, of: (revision: AppRevisionDetail) => StatedValue): FactRow => {
    const [a, b] = [of(before), of(after)];
    return { label, before: a, after: b, changed: a.text !== b.text || a.id !== b.id };
  };
  return [
    row('Compose hash', ({ compose_hash }) => ({ id: compose_hash })),
    row('OS image', ({ os_image, os_image_hash }) => ({
      ...(os_image === null ? {} : { text: os_image }),
      ...(os_image === null || os_image_hash === null ? {} : { id: os_image_hash }),
    })),
    row('KMS', ({ kms }) => (kms === null ? {} : { ...(kms.slug ? { text: kms.slug } : {}), id: kms.id })),
    ...flags.map(([name, label]) => row(label, (revision) => ({ text: flagOf(revision, name) }))),
    row('Disk file system', (revision) => ({ text: fileOf(revision)?.storage_fs ?? '—' })),
  ];
}

const flags = [
  ['public_logs', 'Public logs'],
  ['public_sysinfo', 'Public system information'],
  ['public_tcbinfo', 'Public measurements'],
  ['gateway_enabled', 'Gateway'],
  ['kms_enabled', 'Keys from the KMS'],
  ['secure_time', 'Secure time source'],
] as const;

const fileOf = ({ compose_file }: AppRevisionDetail) =>
  typeof compose_file === 'object' ? compose_file : null;

function flagOf(revision: AppRevisionDetail, name: (typeof flags)[number][0]): string {
  const value = fileOf(revision)?.[name];
  return value === undefined ? '—' : value ? 'yes' : 'no';
}

export interface NameChange {
  name: string;
  kind: 'added' | 'removed';
}

/** Environment variable names that were added or removed. */
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
  /** The digest in the compose file, else the one the host reported. */
  digest: string | null;
  /** False for a tag, which can change in the registry. */
  pinned: boolean;
}

/** Each service's image in both revisions, with the digest that ran, if known. */
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
