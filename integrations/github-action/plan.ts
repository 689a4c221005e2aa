import { formatMicros, parseMicros } from '../../console/lib/billing/money';
import { buildAppCompose, type AppComposeInput } from '../../console/lib/compose/composeHash';
import { guestFieldsOf } from '../../console/lib/compose/guestFields';
import type {
  AppCompose,
  CreateRollout,
  CvmPatch,
  PreflightWarning,
  ProvisionCvm,
} from '../../generated/api/types.gen';
import { deployPreflight, getCvmPrices, provisionCvmComposeFile, type Client } from '../client';
import { DeployError, EXIT } from './exit';
import type { Inputs } from './inputs';
import type { Deployed } from './state';

/** The changes of a run. */
export interface Plan {
  /** `restart`: nothing changes, but a CVM failed. */
  action: 'create' | 'update' | 'restart' | 'none';
  before: Side | null;
  after: Side;
  /** Names of sealed variables, in measured order. */
  env: { added: string[]; removed: string[]; names: string[]; managed: boolean };
  /** Whether new values are sealed and sent. */
  seals: boolean;
  /** Number of affected CVMs. */
  count: number;
  warnings: string[];
  /** Reason the server would refuse it now; null if it wouldn't. */
  refusal: string | null;
  /** Whether this program computed the same compose hash from the file; null if nothing measured changes. */
  hash_agrees: boolean | null;
  /** Request to send. */
  create: ProvisionCvm | null;
  patch: CvmPatch | null;
}

/** One side of the comparison. */
export interface Side {
  compose_hash: string;
  docker_compose_file: string;
  /** US dollars per hour while running, of all CVMs; null if unknown. */
  hourly: string | null;
  size: string | null;
}

/** Compares the inputs with what is deployed, and has the server check the result. Nothing is deployed. @throws {ApiError, DeployError} */
export function makePlan(
  client: Client,
  inputs: Inputs,
  compose: string,
  deployed: Deployed | null,
): Promise<Plan> {
  return deployed === null
    ? planCreate(client, inputs, compose)
    : planUpdate(client, inputs, compose, deployed);
}

async function planCreate(client: Client, inputs: Inputs, compose: string): Promise<Plan> {
  const names = inputs.secrets ?? [];
  const create: ProvisionCvm = {
    name: inputs.name,
    compose_file: {
      docker_compose_file: compose,
      allowed_envs: names,
      ...(inputs.public_logs === undefined ? {} : { public_logs: inputs.public_logs }),
    },
    // Development images give anyone with the right SSH key a shell.
    ...(inputs.image === undefined ? { prefer_dev: false } : { image: inputs.image }),
    ...(inputs.instance_type === undefined ? {} : { instance_type: inputs.instance_type }),
    ...(inputs.disk_size === undefined ? {} : { disk_size: inputs.disk_size }),
    ...(inputs.region === undefined ? {} : { region: inputs.region }),
  };
  const { data } = await deployPreflight({ client, throwOnError: true, body: create });
  const own = buildAppCompose({
    name: inputs.name,
    docker_compose_file: compose,
    allowed_envs: names,
    public_logs: inputs.public_logs,
  });
  return {
    action: 'create',
    before: null,
    after: {
      compose_hash: data.compose_hash,
      docker_compose_file: compose,
      hourly: data.hourly_rate,
      size: sizeText(inputs.instance_type ?? null, inputs.disk_size ?? null),
    },
    env: { added: names, removed: [], names, managed: inputs.secrets !== null },
    seals: names.length > 0,
    count: 1,
    warnings: data.warnings.map(warningText),
    refusal: data.refusal?.reason ?? null,
    hash_agrees: own.compose_hash === data.compose_hash,
    create,
    patch: null,
  };
}

async function planUpdate(
  client: Client,
  inputs: Inputs,
  compose: string,
  { cvm, cvms, compose: measured, compose_hash }: Deployed,
): Promise<Plan> {
  if (inputs.region !== undefined && cvm.teepod?.region_identifier !== inputs.region)
    throw new DeployError(
      EXIT.usage,
      `region: “${inputs.name}” is in ${cvm.teepod?.region_identifier ?? 'no region'} and can't move to another one.`,
      ['Deploy it under another name, or leave region out.'],
    );
  const present = measured.allowed_envs ?? [];
  const wanted = inputs.secrets ?? present;
  // Another order of the same names would change the compose hash.
  const names = sameMembers(present, wanted) ? present : wanted;
  const env = {
    added: names.filter((name) => !present.includes(name)),
    removed: present.filter((name) => !names.includes(name)),
    names,
    managed: inputs.secrets !== null,
  };
  const changesFile = measured.docker_compose_file !== compose;
  const changesNames = env.added.length > 0 || env.removed.length > 0;
  const changesLogs = inputs.public_logs !== undefined && measured.public_logs !== inputs.public_logs;
  const isMeasured = changesFile || changesNames || changesLogs;
  const resize = sizeChange(inputs, cvm);
  const changesImage = inputs.image !== undefined && !isImage(inputs.image, cvm.os?.name ?? '');
  if (cvms.length > 1 && resize)
    throw new DeployError(
      EXIT.usage,
      `“${inputs.name}” has ${cvms.length} CVMs. Resize them one at a time in the console.`,
      ['Leave instance-type and disk-size out, or set them to the current size.'],
    );

  const drafted = isMeasured
    ? await provisionCvmComposeFile({
        client,
        throwOnError: true,
        path: { cvm_id: cvm.id },
        body: {
          docker_compose_file: compose,
          allowed_envs: names,
          ...(changesLogs ? { public_logs: inputs.public_logs } : {}),
        },
      }).then(({ data }) => data.compose_hash)
    : null;
  const own = drafted === null ? null : localHash(measured, compose, names, inputs.public_logs);
  // Left behind by a rollout that failed, or changed on their own.
  const differ = cvms.some((one) => one.compose_hash !== null && one.compose_hash !== compose_hash);
  const isChanged = isMeasured || differ || resize !== null || changesImage;
  // The last values may be the cause of the failure.
  const isDown = cvms.some(({ status }) => status === 'error');
  const seals = env.managed && names.length > 0 && (isChanged || isDown || inputs.rotate_secrets);
  const patch: CvmPatch = {
    ...(changesFile || differ ? { docker_compose_file: compose } : {}),
    ...(changesNames || differ ? { allowed_envs: names } : {}),
    ...(changesLogs || differ ? { public_logs: inputs.public_logs ?? measured.public_logs } : {}),
    ...(changesImage ? { image: inputs.image } : {}),
    ...resize,
  };
  const before = total(cvms.map(({ hourly_rate }) => hourly_rate.total));
  return {
    action: isChanged || seals ? 'update' : isDown ? 'restart' : 'none',
    before: {
      compose_hash,
      docker_compose_file: measured.docker_compose_file,
      hourly: before,
      size: sizeText(cvm.instance_type, cvm.disk_size),
    },
    after: {
      compose_hash: drafted ?? compose_hash,
      docker_compose_file: compose,
      hourly: resize ? await priceAfter(client, cvm.id, resize) : before,
      size: sizeText(resize?.instance_type ?? cvm.instance_type, resize?.disk_size ?? cvm.disk_size),
    },
    env,
    seals,
    count: cvms.length,
    warnings: [],
    refusal: null,
    hash_agrees: own === null ? null : own === drafted,
    create: null,
    patch: isChanged || seals ? patch : null,
  };
}

/** Returns the part of a patch that a rollout accepts: everything but the size. */
export function rolloutOf({
  docker_compose_file,
  allowed_envs,
  public_logs,
  image,
}: CvmPatch): CreateRollout {
  return {
    ...(docker_compose_file === undefined ? {} : { docker_compose_file }),
    ...(allowed_envs === undefined ? {} : { allowed_envs }),
    ...(public_logs === undefined ? {} : { public_logs }),
    ...(image === undefined ? {} : { image }),
  };
}

/** An image can also be named with the start of its hash. */
const isImage = (given: string, name: string) =>
  given === name || (given.startsWith(`${name}-`) && /^[0-9a-f]{8}$/.test(given.slice(name.length + 1)));

const sameMembers = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one));

function sizeChange(
  { instance_type, disk_size }: Inputs,
  cvm: Deployed['cvm'],
): Pick<CvmPatch, 'instance_type' | 'disk_size'> | null {
  const change = {
    ...(instance_type !== undefined && instance_type !== cvm.instance_type ? { instance_type } : {}),
    ...(disk_size !== undefined && disk_size !== cvm.disk_size ? { disk_size } : {}),
  };
  return Object.keys(change).length > 0 ? change : null;
}

async function priceAfter(
  client: Client,
  cvm_id: string,
  size: Pick<CvmPatch, 'instance_type' | 'disk_size'>,
): Promise<string | null> {
  const { data } = await getCvmPrices({ client, throwOnError: true, path: { cvm_id }, query: size });
  return data.resized?.total ?? null;
}

function total(rates: readonly string[]): string | null {
  let sum = 0;
  for (const rate of rates) {
    const micros = parseMicros(rate);
    if (micros === null) return null;
    sum += micros;
  }
  return formatMicros(sum);
}

const sizeText = (instance_type: string | null, disk_gb: number | null): string | null =>
  instance_type === null && disk_gb === null
    ? null
    : [instance_type ?? 'custom size', ...(disk_gb === null ? [] : [`${disk_gb} GB disk`])].join(', ');

const warningText = ({ message, line }: PreflightWarning) =>
  line === null ? message : `Line ${line}: ${message}`;

/** Computes the compose hash; null for unsupported file formats. */
function localHash(
  before: AppCompose,
  docker_compose_file: string,
  allowed_envs: readonly string[],
  public_logs: boolean | undefined,
): string | null {
  if (before.runner === 'bash') return null;
  const input: AppComposeInput = {
    ...guestFieldsOf({ ...before, runner: before.runner }),
    name: before.name,
    docker_compose_file,
    pre_launch_script: before.pre_launch_script,
    allowed_envs,
    kms_enabled: before.kms_enabled,
    gateway_enabled: before.gateway_enabled,
    public_logs: public_logs ?? before.public_logs,
    public_sysinfo: before.public_sysinfo,
    public_tcbinfo: before.public_tcbinfo,
    secure_time: before.secure_time,
    storage_fs: before.storage_fs,
  };
  return buildAppCompose(input).compose_hash;
}
