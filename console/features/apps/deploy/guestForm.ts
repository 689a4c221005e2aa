// Fields of app-compose.json that not every dstack version supports, as typed. Pure.

import type { AppCompose, AvailableTeepod, ProvisionComposeFile } from '../../../../generated/api/types.gen';
import { GUEST_FIELDS, guestFieldsOf, minimumOf, type GuestField } from '../../../lib/compose/guestFields';

/** Numbers, lists and objects are kept as typed text. */
export interface GuestForm {
  runner: string;
  /** Set only in a copy of an app with another one than the default of its runner. */
  snapshotter: string;
  init_script: string;
  /** A JSON list; set only in a copy of an app with several, in place of the one above. */
  init_scripts: string;
  swap_size: string;
  /** Ports that the gateway forwards, as `80, 443/proxy`; empty for all. */
  gateway_ports: string;
  key_provider_id: string;
  /** Empty for the guest's default. */
  event_log_version: string;
  requirements: string;
  verity_volumes: string;
}

export const emptyGuestForm: GuestForm = {
  runner: 'docker-compose',
  snapshotter: '',
  init_script: '',
  init_scripts: '',
  swap_size: '',
  gateway_ports: '',
  key_provider_id: '',
  event_log_version: '',
  requirements: '',
  verity_volumes: '',
};

type Sent = Pick<
  ProvisionComposeFile,
  | 'runner'
  | 'snapshotter'
  | 'init_script'
  | 'swap_size'
  | 'port_policy'
  | 'key_provider_id'
  | 'event_log_version'
  | 'requirements'
  | 'verity_volumes'
>;

/** Builds the request fields. Leaves out invalid text, which `checkGuestForm` reports before anything is sent. */
export function toGuestFields(form: GuestForm): Sent {
  const ports = portsOf(form.gateway_ports);
  const requirements = objectOf(form.requirements);
  const verity_volumes = listOf(form.verity_volumes);
  const init_script = scriptsOf(form);
  const { snapshotter } = form;
  return {
    ...(form.runner === 'nerdctl-compose' ? { runner: form.runner } : {}),
    ...(form.runner === 'nerdctl-compose' && isSnapshotter(snapshotter) ? { snapshotter } : {}),
    ...(init_script.length === 0 ? {} : { init_script }),
    ...(form.swap_size.trim() === '' ? {} : { swap_size: form.swap_size.trim() }),
    ...(ports && ports.length > 0 ? { port_policy: { ports, restrict_mode: true } } : {}),
    ...(form.key_provider_id.trim() === '' ? {} : { key_provider_id: form.key_provider_id.trim() }),
    ...(form.event_log_version === '' ? {} : { event_log_version: Number(form.event_log_version) }),
    ...(requirements ? { requirements } : {}),
    ...(verity_volumes && verity_volumes.length > 0 ? { verity_volumes } : {}),
  };
}

const isSnapshotter = (text: string): text is NonNullable<Sent['snapshotter']> =>
  text === 'overlayfs' || text === 'stargz';

/** The init script or scripts; empty for none, and for text that isn't a list of them. */
export const scriptsOf = ({
  init_script,
  init_scripts,
}: Pick<GuestForm, 'init_script' | 'init_scripts'>): string | string[] =>
  init_scripts.trim() === '' ? init_script : (textsOf(init_scripts) ?? []);

/** The inverse of `toGuestFields`. */
export function guestFormOf(file: AppCompose): GuestForm {
  const { runner, init_script, swap_size, port_policy, event_log_version } = file;
  const { requirements, verity_volumes } = file;
  return {
    ...emptyGuestForm,
    ...(runner === 'nerdctl-compose' ? { runner } : {}),
    snapshotter: file.snapshotter ?? '',
    ...(typeof init_script === 'string' ? { init_script } : {}),
    ...(Array.isArray(init_script) && init_script.length > 0
      ? { init_scripts: JSON.stringify(init_script, null, 2) }
      : {}),
    swap_size: String(swap_size ?? ''),
    ...(port_policy?.restrict_mode
      ? {
          gateway_ports: (port_policy.ports ?? [])
            .map(({ port, pp }) => `${port}${pp ? '/proxy' : ''}`)
            .join(', '),
        }
      : {}),
    key_provider_id: file.key_provider_id ?? '',
    event_log_version: String(event_log_version ?? ''),
    requirements: requirements ? JSON.stringify(requirements) : '',
    verity_volumes: verity_volumes ? JSON.stringify(verity_volumes) : '',
  };
}

export function checkGuestForm(form: GuestForm): Partial<Record<keyof GuestForm, string>> {
  const errors: Partial<Record<keyof GuestForm, string>> = {};
  if (textsOf(form.init_scripts) === null)
    errors.init_scripts = 'Enter a JSON list of scripts, such as ["echo one", "echo two"].';
  if (!/^(\d{1,15}[KMGT]?)?$/i.test(form.swap_size.trim()))
    errors.swap_size = 'Enter bytes, or a number with K, M, G or T, such as 2G.';
  if (portsOf(form.gateway_ports) === null)
    errors.gateway_ports =
      'Separate different ports from 1 to 65535 with commas; add /proxy for the PROXY protocol.';
  if (!/^(0x)?([0-9a-f]{2})*$/i.test(form.key_provider_id.trim()))
    errors.key_provider_id = 'Enter the key in hex.';
  if (objectOf(form.requirements) === null)
    errors.requirements = 'Enter a JSON object, such as {"os_version": ">=0.6.0"}.';
  if (listOf(form.verity_volumes) === null)
    errors.verity_volumes =
      'Enter a JSON list of objects, such as [{"source": "models.img", "verity_root": "…", "target": "/models"}].';
  return errors;
}

/** Maps each file field to its input; `snapshotter` has none. */
export const GUEST_INPUTS: Readonly<Record<Exclude<GuestField, 'snapshotter'>, keyof GuestForm>> = {
  runner: 'runner',
  init_script: 'init_script',
  swap_size: 'swap_size',
  port_policy: 'gateway_ports',
  key_provider_id: 'key_provider_id',
  event_log_version: 'event_log_version',
  requirements: 'requirements',
  verity_volumes: 'verity_volumes',
};

type Host = Pick<AvailableTeepod, 'local' | 'images'>;

/**
 * Returns the settings that no host at the chosen location supports, with the reason. The server also knows the
 * hosts' versions and decides.
 * @param hosts at the chosen location; if empty, capacity is the problem
 * @param image the chosen one; empty for the newest
 */
export function unsupportedSettings(
  form: GuestForm,
  hosts: readonly Host[],
  image: string,
): Partial<Record<keyof GuestForm, string>> {
  const fields = guestFieldsOf(toGuestFields(form) as Parameters<typeof guestFieldsOf>[0]);
  const errors: Partial<Record<keyof GuestForm, string>> = {};
  for (const field of GUEST_FIELDS) {
    if (field === 'snapshotter' || fields[field] === undefined) continue;
    const reason = whyUnsupported(hosts, image, minimumOf(field, fields).image);
    if (reason !== null) errors[GUEST_INPUTS[field]] = reason;
  }
  return errors;
}

/** Why no host supports the runner nerdctl-compose; null if one does. */
export const whyNoNerdctl = (hosts: readonly Host[], image: string): string | null =>
  whyUnsupported(hosts, image, minimumOf('runner', {}).image);

function whyUnsupported(hosts: readonly Host[], image: string, minimum: string): string | null {
  if (hosts.length === 0) return null;
  const real = hosts.filter(({ local }) => !local);
  if (real.length === 0)
    return 'The local teepod doesn’t support this. Use a TEE host, or leave the default.';
  const images = real.flatMap((host) => host.images).filter(({ name }) => image === '' || name === image);
  // A location without images is reported as lacking capacity.
  if (images.length === 0 || images.some(({ version }) => isAtLeast(version, minimum))) return null;
  return `This requires an OS image with dstack ${minimum} or later, and no host here has one.`;
}

function isAtLeast(version: readonly number[], minimum: string): boolean {
  const least = minimum.split('.').map(Number);
  const i = least.findIndex((part, at) => part !== (version[at] ?? 0));
  return i === -1 || (version[i] ?? 0) > (least[i] ?? 0);
}

/** Null if the text isn't a list of ports. */
function portsOf(text: string): { port: number; pp?: boolean }[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const ports: { port: number; pp?: boolean }[] = [];
  for (const part of parts) {
    const [, digits = '', proxy] = /^(\d{1,5})(\/proxy)?$/.exec(part) ?? [];
    const port = Number(digits);
    if (port < 1 || port > 65_535 || ports.some((one) => one.port === port)) return null;
    ports.push(proxy ? { port, pp: true } : { port });
  }
  return ports;
}

/** Undefined for empty text, null if it isn't an object. The server checks the keys. */
function objectOf(text: string): Sent['requirements'] | null {
  const value = parsed(text);
  return typeof value === 'object' && !Array.isArray(value)
    ? (value as Sent['requirements'] | null)
    : undefinedOr(value);
}

function textsOf(text: string): string[] | undefined | null {
  const value = parsed(text);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
  return isList ? (value as string[]) : undefinedOr(value);
}

function listOf(text: string): Sent['verity_volumes'] | null {
  const value = parsed(text);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
  return isList ? (value as Sent['verity_volumes']) : undefinedOr(value);
}

const undefinedOr = (value: unknown): undefined | null => (value === undefined ? undefined : null);

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
