import type { AppRevisionDetail } from '../../../../generated/api/types.gen';
import { cutWhole } from '../../../lib/texts/cutWhole';

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

const flags = [
  ['public_logs', 'Public logs'],
  ['public_sysinfo', 'Public system information'],
  ['public_tcbinfo', 'Public measurements'],
  ['gateway_enabled', 'Gateway'],
  ['kms_enabled', 'Keys from the KMS'],
  ['secure_time', 'Secure time source'],
] as const;

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
    row('Disk file system', (revision) => ({ text: textOf(composeOf(revision).get('storage_fs')) })),
    ...otherFields(before, after).map((name) =>
      row(name, (revision) => ({ text: textOf(composeOf(revision).get(name)) })),
    ),
  ];
}

/** The scripts inside app-compose.json, each shown as a diff of its own. */
const SCRIPTS = [
  ['pre_launch_script', 'Pre-launch script'],
  ['init_script', 'Init script'],
  ['bash_script', 'Bash script'],
] as const;

/** Fields of app-compose.json that are shown elsewhere. */
const SHOWN: ReadonlySet<string> = new Set([
  'docker_compose_file',
  ...SCRIPTS.map(([name]) => name),
  ...flags.map(([name]) => name),
  'storage_fs',
  'allowed_envs',
]);

/** Longest value of another field that is shown in full, in characters. */
const MAX_TEXT = 200;

/** The fields of app-compose.json as it was hashed; none if it isn't a JSON object. */
function composeOf({ app_compose }: AppRevisionDetail): ReadonlyMap<string, unknown> {
  try {
    const file = JSON.parse(app_compose) as unknown;
    return new Map(typeof file === 'object' && file !== null ? Object.entries(file) : []);
  } catch {
    return new Map();
  }
}

/** Names of all other fields that differ, so that a changed compose hash is always explained. */
function otherFields(before: AppRevisionDetail, after: AppRevisionDetail): string[] {
  const [a, b] = [composeOf(before), composeOf(after)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((name) => !SHOWN.has(name) && JSON.stringify(a.get(name)) !== JSON.stringify(b.get(name)))
    .toSorted();
}

function flagOf(revision: AppRevisionDetail, name: string): string {
  const value = composeOf(revision).get(name);
  return value === undefined ? '—' : value ? 'yes' : 'no';
}

function textOf(value: unknown): string {
  if (value === undefined) return '—';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${cutWhole(text, MAX_TEXT)}…` : text;
}

export interface FileDifference {
  label: string;
  before: string;
  after: string;
}

/** docker-compose.yml and the scripts that either revision has. */
export function filesOf(before: AppRevisionDetail, after: AppRevisionDetail): FileDifference[] {
  const scripts = SCRIPTS.map(([name, label]) => ({
    label,
    before: scriptOf(before, name),
    after: scriptOf(after, name),
  }));
  return [
    {
      label: 'docker-compose.yml',
      before: before.docker_compose_file,
      after: after.docker_compose_file,
    },
    ...scripts.filter((script) => script.before !== '' || script.after !== ''),
  ];
}

/** A script's text; several are joined. */
function scriptOf(revision: AppRevisionDetail, name: string): string {
  const value = composeOf(revision).get(name);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join('\n') : '';
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
