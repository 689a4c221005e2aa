// Fields of app-compose.json that only some dstack versions support. Guests ignore unknown fields, so a field may
// only be sent to a host and an image that support it.

interface PortPolicy {
  ports?: { port: number; pp?: boolean | undefined }[] | undefined;
  restrict_mode?: boolean | undefined;
}

interface GuestRequirements {
  os_version?: string | undefined;
  platforms?: string[] | undefined;
  tdx_measure_acpi_tables?: boolean | undefined;
  gpu_policy?:
    | {
        attest_gpu?: boolean | undefined;
        rego?: string | undefined;
        allow_devtools?: boolean | undefined;
        allow_debug?: boolean | undefined;
        allow_insecure_boot?: boolean | undefined;
      }
    | undefined;
}

interface VerityVolume {
  source: string;
  verity_root: string;
  target: string;
}

/** Absent and empty values both omit the field. */
export interface GuestFields {
  runner?: 'docker-compose' | 'nerdctl-compose' | undefined;
  /** Only for nerdctl-compose. */
  snapshotter?: 'overlayfs' | 'stargz' | undefined;
  init_script?: string | string[] | undefined;
  swap_size?: number | string | undefined;
  key_provider_id?: string | undefined;
  event_log_version?: number | undefined;
  port_policy?: PortPolicy | undefined;
  requirements?: GuestRequirements | undefined;
  verity_volumes?: VerityVolume[] | undefined;
}

export const GUEST_FIELDS = [
  'runner',
  'snapshotter',
  'init_script',
  'swap_size',
  'key_provider_id',
  'event_log_version',
  'port_policy',
  'requirements',
  'verity_volumes',
] as const satisfies readonly (keyof GuestFields)[];
export type GuestField = (typeof GUEST_FIELDS)[number];

/** Returns the non-empty fields of an app-compose.json or request, in the guest's format. */
export function guestFieldsOf(from: GuestFields): GuestFields {
  const { runner, swap_size, key_provider_id } = from;
  const all: GuestFields = {
    ...from,
    // The default runner, available in every version.
    runner: runner === 'docker-compose' ? undefined : runner,
    swap_size:
      swap_size === 0 || (typeof swap_size === 'string' && /^0+\D?$/.test(swap_size)) ? '' : swap_size,
    key_provider_id: key_provider_id?.replace(/^0x/i, '').toLowerCase(),
  };
  return Object.fromEntries(
    GUEST_FIELDS.filter((field) => !isEmpty(all[field])).map((field) => [field, all[field]]),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every((one) => one === undefined);
}

const SUFFIXES = 'KMGT';

/** Returns the swap size in bytes; 0 for none. A number too large to be exact is at least that large. */
export function swapBytes({ swap_size = 0 }: GuestFields): number {
  const [, digits = '0', suffix = ''] = /^(\d+)([KMGT]?)$/i.exec(String(swap_size)) ?? [];
  return Number(digits) * 1024 ** (suffix === '' ? 0 : SUFFIXES.indexOf(suffix.toUpperCase()) + 1);
}

interface Minimum {
  /** Version of the OS image, which reads the field. */
  image: string;
  /** Version of dstack-vmm, if older ones can't parse the file. */
  host?: string;
}

const V06: Minimum = { image: '0.6.0', host: '0.6.0' };

/** Returns the dstack versions that a field requires for its value. */
export function minimumOf(field: GuestField, { init_script }: GuestFields): Minimum {
  if (field === 'key_provider_id') return { image: '0.5.1' };
  if (field === 'swap_size') return { image: '0.5.5' };
  if (field === 'init_script') return typeof init_script === 'string' ? { image: '0.5.5' } : V06;
  // Older hosts ignore these two, which only concern the guest and the gateway.
  if (field === 'port_policy' || field === 'event_log_version') return { image: '0.6.0' };
  return V06;
}

/** Whether version 3 is needed, which older guests refuse, for fields they must not ignore. */
export const needsManifest3 = ({ runner, requirements, init_script }: GuestFields): boolean =>
  runner === 'nerdctl-compose' || requirements !== undefined || Array.isArray(init_script);
