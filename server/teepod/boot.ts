/** One boot, with a dstack guest's order and wording. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { LimitFunction } from 'p-limit';
import { composeHash, readAppCompose } from './appCompose';
import type { CvmLimits } from './compose/plan';
import type { Engine } from './engine/types';
import { openEnvironment, redactor } from './env';
import { imageHash } from './attestation';
import type { ChainKms } from './kms/chainKms';
import { isGoverned, kmsOf } from './kms/keyServices';
import { authorize } from './kms/webhook';
import type { Kms } from './kms';
import type { Planner } from './planner';
import type { BootRecord, Store } from './store';
import type { Vm } from './vm';
import type { VmConfiguration } from './wire';

export interface BootTools {
  store: Store;
  engine: Engine;
  kms: Kms;
  /** The KMS with a contract, if configured. */
  chainKms?: ChainKms | undefined;
  /** Queried before the host's own KMS releases keys; without one, every boot gets them. */
  webhook?: string | null | undefined;
  /** This machine's device ID, 64 hex digits. */
  device_id: string;
  planner: Planner;
}

/** Processes per vCPU, plus a base for runtimes that start many threads. */
const PIDS_BASE = 512;
const PIDS_PER_VCPU = 256;

/**
 * Ends with progress `done`, or with boot_error set while the CVM stays up, like a real host. Rejects only if
 * stopped.
 */
export async function bootVm(
  vm: Vm,
  tools: BootTools,
  turns: LimitFunction,
  signal: AbortSignal,
): Promise<void> {
  const { store } = tools;
  const boot = await recordBoot(vm, store);
  vm.log.separator();
  vm.log.write(
    'serial',
    'local teepod, no hardware TEE: this CVM is a set of containers, its attestation is simulated',
  );
  const output = new SerialOutput(vm);
  try {
    await runBoot({ vm, boot, tools, output, signal }, turns);
  } catch (error) {
    if (signal.aborted) {
      // A regular stop: the process did not end during this boot.
      boot.attempts = 0;
      await store.saveBoot(vm.id, boot);
      throw error;
    }
    const reason = output.redact(error instanceof Error ? error.message : String(error));
    const starting = vm.progress === 'starting containers';
    boot.error = starting ? `failed to start containers: ${reason}` : reason;
  }
  // Saved before `done` is visible: a client may call the guest immediately, and a crash must not boot it
  // again.
  boot.done = true;
  boot.attempts = 0;
  boot.progress = boot.error === '' ? 'done' : vm.progress;
  await store.saveBoot(vm.id, boot);
  if (boot.error === '') {
    vm.step('done');
    return;
  }
  vm.error = boot.error;
  vm.event('boot.error', vm.error);
  vm.log.write('serial', `boot error: ${vm.error}`);
  vm.log.write('stderr', vm.error);
}

/** Records the start of a boot, so that one interrupted by a crash is recognized. */
async function recordBoot(vm: Vm, store: Store): Promise<BootRecord> {
  const boot: BootRecord = {
    boots: (vm.boot?.boots ?? 0) + 1,
    started_at: vm.startedAt,
    compose_file: vm.config.compose_file,
    image: vm.config.image,
    done: false,
    attempts: (vm.boot?.attempts ?? 0) + 1,
    progress: '',
    error: '',
    ports: [],
    services: [],
  };
  vm.boot = boot;
  await store.saveBoot(vm.id, boot);
  return boot;
}

/** A boot's lines on the serial console, without the environment's values once they are known. */
class SerialOutput {
  redact = (text: string): string => text;

  constructor(readonly vm: Vm) {}

  readonly say = (line: string): void => this.vm.log.write('serial', this.redact(line));
}

interface Boot {
  vm: Vm;
  boot: BootRecord;
  tools: BootTools;
  output: SerialOutput;
  signal: AbortSignal;
}

async function runBoot(run: Boot, turns: LimitFunction): Promise<void> {
  const { vm, tools, output } = run;
  const { config } = vm;
  vm.step('initializing data disk');
  const app = readAppCompose(config.compose_file);
  await tools.store.saveFiles(vm.id, config.compose_file, app.docker_compose_file);

  vm.step('requesting app keys');
  if (config.encrypted_env !== '' && app.key_provider !== 'kms')
    output.say('warning: the environment is encrypted but the key provider is not kms');
  const kms = kmsOf(tools, config);
  if (app.key_provider === 'kms') await authorizeKeys(run);
  const env = openEnvironment(
    config.encrypted_env,
    kms.envSecret(vm.record.app_id),
    app.allowed_envs,
    output.say,
  );
  output.redact = redactor(env);
  output.say(`environment: ${env.size} variable${env.size === 1 ? '' : 's'}`);

  vm.step('data disk ready');
  if (vm.record.instance_id === '' && !app.no_instance_id) await assignInstanceId(vm, tools.store);

  if (app.gateway_enabled) vm.step('setting up dstack-gateway');
  vm.step('setting up docker');
  if (app.pre_launch_script.trim() !== '') {
    vm.step('pre-launch');
    output.say('pre-launch script skipped: the local teepod never runs app scripts on the host');
  }
  run.signal.throwIfAborted();

  vm.step('starting containers');
  if (app.runner !== 'docker-compose')
    throw new Error(`runner "${app.runner}" is not supported by the local teepod; use docker-compose`);
  await startContainers(run, app.docker_compose_file, env, turns);
}

/** Asks who decides about the app's keys: its contract, or the host's webhook if there is one. @throws if refused */
async function authorizeKeys({ vm, tools, signal }: Boot): Promise<void> {
  const { config, record } = vm;
  const app_id = record.app_id;
  const compose_hash = composeHash(config.compose_file);
  if (isGoverned(config))
    await tools.chainKms?.authorize({ app_id, compose_hash, os_image_hash: imageHash(config.image) }, signal);
  else if (tools.webhook)
    await authorize(
      tools.webhook,
      {
        app_id,
        compose_hash,
        device_id: tools.device_id,
        instance_id: record.instance_id,
        image: config.image,
      },
      signal,
    );
}

async function assignInstanceId(vm: Vm, store: Store): Promise<void> {
  await vm.changes(async () => {
    const instance_id = instanceIdOf(vm.record.seed, vm.record.app_id);
    await store.save({ ...vm.record, instance_id });
    vm.record = { ...vm.record, instance_id };
  });
  const { instance_id } = vm.record;
  vm.event('instance.info', JSON.stringify({ instance_id_seed: vm.record.seed.slice(0, 40), instance_id }));
}

async function startContainers(
  { vm, boot, tools, output, signal }: Boot,
  source: string,
  env: ReadonlyMap<string, string>,
  turns: LimitFunction,
): Promise<void> {
  const { store, engine, planner } = tools;
  const limits = limitsOf(vm.config);
  const plan = await planner.plan({ source, env, limits }, signal);
  for (const note of plan.notes) output.say(note);
  boot.ports = plan.ports;
  boot.services = plan.services.map(({ name, container_name }) => ({
    name,
    container_name: container_name ?? '',
  }));
  await store.saveBoot(vm.id, boot);
  const request = {
    vm_id: vm.id,
    project: vm.project,
    plan,
    limits,
    disk_gb: vm.config.disk_size,
    dir: join(vm.dir, 'engine'),
    signal,
    log: output.say,
    redact: output.redact,
  };
  await engine.prepare(request);
  // Only this part is serialized: an image from a slow registry must not keep other CVMs from booting.
  await turns(async () => {
    signal.throwIfAborted();
    await engine.start(request);
  });
  signal.throwIfAborted();
}

function instanceIdOf(seed: string, appId: string): string {
  const hash = createHash('sha256').update(Buffer.from(seed, 'hex')).update(Buffer.from(appId, 'hex'));
  return hash.digest('hex').slice(0, 40);
}

export function appIdOf(config: VmConfiguration): string {
  return config.app_id ?? composeHash(config.compose_file).slice(0, 40);
}

function limitsOf(config: VmConfiguration): CvmLimits {
  return {
    cpus: config.vcpu,
    memory_bytes: config.memory * 2 ** 20,
    pids: PIDS_BASE + PIDS_PER_VCPU * config.vcpu,
  };
}
