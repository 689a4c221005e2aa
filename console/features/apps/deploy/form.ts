// The deploy form's state, its checks, and the one place where it becomes a request. Pure.

import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { type AppComposeInput, buildAppCompose, composeSize } from '../../../lib/compose/composeHash';
import { guestFieldsOf } from '../../../lib/compose/guestFields';
import { type EnvPair, validateEnv } from '../../../lib/compose/envRules';
import { cvmNameProblem } from '../../../lib/ids';
import { rowFaults, type SecretRow } from '../../../ui/forms/secrets';
import { ownValue } from '../../../lib/ownValue';
import { deletionFault, neverDeleted, type DeletionForm } from '../deletion/deletion';
import {
  checkAttachmentForm,
  emptyAttachmentForm,
  toAttachments,
  type AttachmentForm,
} from './attachmentForm';
import {
  checkGuestForm,
  emptyGuestForm,
  GUEST_INPUTS,
  scriptsOf,
  toGuestFields,
  type GuestForm,
} from './guestForm';
import { count } from '../../../lib/texts/count';

/** The form as shown: numbers are the typed text. */
export interface DeployForm extends GuestForm, AttachmentForm, DeletionForm {
  name: string;
  compose: string;
  pre_launch_script: string;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  /** Off only in a copy of an app without it. */
  gateway_enabled: boolean;
  /** Off only in a copy of an app without keys from a KMS. */
  kms_enabled: boolean;
  /** On only in a copy of an app with it. */
  secure_time: boolean;
  /** Set only in a copy of an app with another file system; empty for the default. */
  storage_fs: string;
  /** An instance type ID, or `custom`, which uses vcpu and memory. */
  size: string;
  vcpu: string;
  /** GB on screen, MB on the wire. */
  memory_gb: string;
  /** Empty for the instance type's default. */
  disk_gb: string;
  /** Empty for the newest. */
  image: string;
  /** `any`, `region:…` or `teepod:…`. */
  place: string;
  /** Public ID of the KMS; empty for the host's default. */
  kms: string;
  /** The template that filled the form; empty for none. */
  template_id: string;
  template_name: string;
  template_version: string;
  secrets: SecretRow[];
}

export const CUSTOM = 'custom';

export const emptyForm: DeployForm = {
  ...emptyGuestForm,
  ...emptyAttachmentForm,
  ...neverDeleted,
  name: '',
  compose: '',
  pre_launch_script: '',
  // The API defaults to public logs; this form requires an explicit choice.
  public_logs: false,
  public_sysinfo: true,
  public_tcbinfo: true,
  gateway_enabled: true,
  kms_enabled: true,
  secure_time: false,
  storage_fs: '',
  size: '',
  vcpu: '1',
  memory_gb: '2',
  disk_gb: '',
  image: '',
  place: 'any',
  kms: '',
  template_id: '',
  template_name: '',
  template_version: '',
  secrets: [],
};

/** The variables to seal, in table order, without empty rows. */
export function envOf(rows: readonly SecretRow[]): EnvPair[] {
  return rows
    .filter(({ key, value }) => key !== '' || value !== '')
    .map(({ key, value }) => ({ key, value }));
}

/** Builds the request, which contains secret names but no values. */
export function toProvision(form: DeployForm): ProvisionCvm {
  const custom = form.size === CUSTOM;
  const [by, where = ''] = split(form.place);
  return {
    name: form.name,
    compose_file: {
      name: form.name,
      docker_compose_file: form.compose,
      ...(form.pre_launch_script === '' ? {} : { pre_launch_script: form.pre_launch_script }),
      allowed_envs: envOf(form.secrets).map(({ key }) => key),
      public_logs: form.public_logs,
      public_sysinfo: form.public_sysinfo,
      public_tcbinfo: form.public_tcbinfo,
      ...(form.gateway_enabled ? {} : { gateway_enabled: false }),
      ...(form.kms_enabled ? {} : { kms_enabled: false }),
      ...(form.secure_time ? { secure_time: true } : {}),
      ...(form.storage_fs === 'ext4' ? { storage_fs: form.storage_fs } : {}),
      ...toGuestFields(form),
    },
    ...(custom
      ? { vcpu: Number(form.vcpu), memory: Math.round(Number(form.memory_gb) * 1024) }
      : form.size === ''
        ? {}
        : { instance_type: form.size }),
    ...(form.disk_gb.trim() === '' ? {} : { disk_size: Number(form.disk_gb) }),
    ...(by === 'region' ? { region: where } : {}),
    ...(by === 'teepod' ? { teepod_id: Number(where) } : {}),
    ...(form.image === '' ? {} : { image: form.image }),
    ...(form.kms === '' ? {} : { kms_id: form.kms }),
    ...toAttachments(form),
    ...(form.template_id === ''
      ? {}
      : { template: { id: form.template_id, version: form.template_version } }),
  };
}

function split(place: string): [string, string?] {
  const colon = place.indexOf(':');
  return colon === -1 ? [place] : [place.slice(0, colon), place.slice(colon + 1)];
}

/** The part of a request that the hash covers. */
export function composeInputOf({ name, compose_file }: ProvisionCvm): AppComposeInput {
  const { runner } = compose_file;
  return {
    name: compose_file.name || name,
    docker_compose_file: compose_file.docker_compose_file ?? '',
    pre_launch_script: compose_file.pre_launch_script,
    allowed_envs: compose_file.allowed_envs,
    public_logs: compose_file.public_logs,
    public_sysinfo: compose_file.public_sysinfo,
    public_tcbinfo: compose_file.public_tcbinfo,
    gateway_enabled: compose_file.gateway_enabled,
    kms_enabled: compose_file.kms_enabled,
    secure_time: compose_file.secure_time,
    storage_fs: compose_file.storage_fs,
    // The server refuses this runner.
    ...guestFieldsOf({ ...compose_file, runner: runner === 'bash' ? undefined : runner }),
  };
}

/** Hashes exactly what is sent. @throws {AppComposeError} for text that can't be encoded as UTF-8. */
export const composeHashOf = (body: ProvisionCvm): string =>
  buildAppCompose(composeInputOf(body)).compose_hash;

/** Fields that can show an error. */
export type FieldName =
  | 'name'
  | 'compose'
  | 'pre_launch_script'
  | 'secrets'
  | 'size'
  | 'vcpu'
  | 'memory_gb'
  | 'disk_gb'
  | 'image'
  | 'place'
  | 'kms'
  | 'template_id'
  | 'delete_at'
  | keyof AttachmentForm
  | keyof GuestForm;
export type FieldErrors = Partial<Record<FieldName, string>>;

/** Client-side validation, before any request. The compose text has its own findings. */
export function checkForm(form: DeployForm): FieldErrors {
  const errors: FieldErrors = {};
  const name = form.name === '' ? 'Enter a name.' : cvmNameProblem(form.name);
  if (name !== null) errors.name = name;
  if (form.compose.trim() === '') errors.compose = 'Paste or write a Compose file.';
  const { bytes, limit, fits } = composeSize(form.compose, form.pre_launch_script, scriptsOf(form));
  if (!fits) errors.compose = `The Compose file and its scripts total ${bytes} bytes; the limit is ${limit}.`;
  const secrets = secretsFault(form.secrets);
  if (secrets !== null) errors.secrets = secrets;
  if (form.size === '') errors.size = 'Choose a size.';
  if (form.size === CUSTOM) {
    Object.assign(errors, {
      ...wholeNumber('vcpu', form.vcpu, 1, 1024, 'vCPU'),
      ...memoryFault(form.memory_gb),
    });
  }
  if (form.disk_gb.trim() !== '')
    Object.assign(errors, wholeNumber('disk_gb', form.disk_gb, 1, 65_536, 'GB'));
  const deletion = deletionFault(form);
  if (deletion !== null) errors.delete_at = deletion;
  return { ...errors, ...checkGuestForm(form), ...checkAttachmentForm(form) };
}

export function secretsFault(rows: readonly SecretRow[]): string | null {
  const first = [...rowFaults(rows).values()][0];
  if (first !== undefined) return `${first}.`;
  return validateEnv(envOf(rows)).find(({ severity }) => severity === 'error')?.message ?? null;
}

function wholeNumber(field: FieldName, text: string, least: number, most: number, unit: string): FieldErrors {
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && value >= least && value <= most) return {};
  return { [field]: `Enter a whole number of ${unit} from ${least} to ${count(most)}.` };
}

function memoryFault(text: string): FieldErrors {
  const mb = Number(text) * 1024;
  if (text.trim() !== '' && mb >= 128 && mb <= 16_777_216 && Number.isInteger(mb)) return {};
  return { memory_gb: 'Enter GB of memory, at least 0.125, in steps of 1 MB (1.5 is 1,536 MB).' };
}

/** Maps the last part of a server error path to a form field. */
const FIELDS: Readonly<Record<string, FieldName>> = {
  name: 'name',
  docker_compose_file: 'compose',
  compose_file: 'compose',
  pre_launch_script: 'pre_launch_script',
  allowed_envs: 'secrets',
  env_keys: 'secrets',
  encrypted_env: 'secrets',
  instance_type: 'size',
  vcpu: 'vcpu',
  memory: 'memory_gb',
  disk_size: 'disk_gb',
  image: 'image',
  region: 'place',
  teepod_id: 'place',
  node_id: 'place',
  kms_id: 'kms',
  ports: 'host_ports',
  gpus: 'all_gpus',
  ...GUEST_INPUTS,
  template: 'template_id',
  scheduled_delete_at: 'delete_at',
};

/** Error codes that imply a field even when the response names none. */
const CODES: Readonly<Record<string, FieldName>> = {
  'ERR-01-001': 'place',
  'ERR-01-002': 'compose',
  'ERR-01-003': 'compose',
  'ERR-01-004': 'name',
  'ERR-02-001': 'size',
  'ERR-02-002': 'size',
  'ERR-02-003': 'size',
  'ERR-02-004': 'size',
  'ERR-02-010': 'image',
  'ERR-02-012': 'place',
  'ERR-02-013': 'image',
  'ERR-02-015': 'size',
};

/** Assigns a server error to form fields; empty when it concerns none of them. */
export function serverFieldErrors(problem: {
  message: string;
  code?: string | undefined;
  details?: readonly { field?: string | undefined; message?: string | undefined }[] | undefined;
}): FieldErrors {
  const errors: FieldErrors = {};
  for (const { field, message } of problem.details ?? []) {
    const parts = (field ?? '').split('.').reverse();
    const known = parts.map((part) => ownValue(FIELDS, part)).find((name) => name !== undefined);
    // Some details contain only the rejected value; then the problem's own message is used.
    if (known && errors[known] === undefined)
      errors[known] = message?.includes(' ') ? message : problem.message;
  }
  const byCode = problem.code === undefined ? undefined : ownValue(CODES, problem.code);
  if (byCode && Object.keys(errors).length === 0) errors[byCode] = problem.message;
  return errors;
}

/** Returns the part of a failed request's error that belongs to form fields. */
export const fieldErrorsOf = (error: unknown): FieldErrors =>
  isApiError(error)
    ? serverFieldErrors({ message: error.message, code: error.code, details: error.fields })
    : {};
