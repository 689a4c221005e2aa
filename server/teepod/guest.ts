/** A CVM's guest agent: information, containers, shutdown. */
import { getServers } from 'node:dns';
import { statfs } from 'node:fs/promises';
import os from 'node:os';
import { simulatedTcbInfo } from './attestation';
import { composeHash, readAppCompose } from './appCompose';
import type { BootTools } from './boot';
import { kmsOf } from './kms/keyServices';
import type { EngineContainer, Usage } from './engine/types';
import type { Manager } from './manager';
import type { BootRecord } from './store';
import type { Vm } from './vm';
import { RpcError } from './wire';

const AGENT_VERSION = '0.6.0+teehouse';

/** @throws {RpcError} while no guest responds, like the relay over vsock. */
function guestUp(vm: Vm): NonNullable<Vm['boot']> {
  if (!vm.alive || vm.recovering || vm.booting || !vm.boot)
    throw new RpcError('Failed to connect to the guest agent: the guest is not up');
  return vm.boot;
}

const tcbInfoOf = ({ record, config }: Vm, boot: BootRecord, tools: BootTools): Record<string, unknown> =>
  simulatedTcbInfo(boot, record.app_id, record.instance_id, kmsOf(tools, config).caSpki, tools.device_id);

export function guestInfo(vm: Vm, tools: BootTools): Record<string, unknown> {
  const boot = guestUp(vm);
  const tcb = tcbInfoOf(vm, boot, tools);
  return {
    version: AGENT_VERSION,
    app_id: vm.record.app_id,
    instance_id: vm.record.instance_id,
    // No certificate: one that is not bound to a quote would only look like attestation.
    app_cert: '',
    tcb_info: JSON.stringify(tcb),
    device_id: tcb['device_id'],
  };
}

/** `Worker.Info` of the agent's public port. */
export function publicInfo(vm: Vm, tools: BootTools): Record<string, unknown> {
  const boot = guestUp(vm);
  const kmsKeyId = kmsOf(tools, vm.config).caSpki;
  const app = readAppCompose(boot.compose_file);
  const info = guestInfo(vm, tools);
  return {
    ...info,
    tcb_info: app.public_tcbinfo ? info['tcb_info'] : '',
    app_name: app.name,
    mr_aggregated: '00'.repeat(32),
    os_image_hash: tcbInfoOf(vm, boot, tools)['os_image_hash'],
    key_provider_info: JSON.stringify({
      name: app.key_provider,
      id: app.key_provider === 'kms' ? kmsKeyId : '',
    }),
    compose_hash: composeHash(boot.compose_file),
    vm_config: '',
    cloud_vendor: 'local teepod',
    cloud_product: 'no hardware TEE',
  };
}

/**
 * Sizes in bytes, load averages ×100. With containers, the CVM's own size and usage; simulated, this
 * machine's.
 *
 * Two fields don't exist in a real guest: `measured` states the scope of the figures, and `cpu_time_us`,
 * microseconds of all CPUs combined, is the basis of CPU usage.
 */
export async function sysInfo(vm: Vm, manager: Manager): Promise<Record<string, unknown>> {
  guestUp(vm);
  const usage = await manager.engine.usage(vm.id);
  const processors = os.cpus();
  const total = usage ? vm.config.memory * 2 ** 20 : os.totalmem();
  const used = usage ? Math.min(usage.memory_bytes, total) : os.totalmem() - os.freemem();
  const [one = 0, five = 0, fifteen = 0] = os.loadavg().map((load) => Math.round(load * 100));
  return {
    os_name: 'local teepod (no hardware TEE)',
    os_version: os.version(),
    kernel_version: os.release(),
    cpu_model: processors[0]?.model ?? '',
    // Containers have no load average, so it and the processor count are the machine's.
    num_cpus: processors.length,
    total_memory: total,
    available_memory: total - used,
    used_memory: used,
    free_memory: total - used,
    total_swap: 0,
    used_swap: 0,
    free_swap: 0,
    uptime: Math.floor((Date.now() - vm.startedAt) / 1000),
    loadavg_one: one,
    loadavg_five: five,
    loadavg_fifteen: fifteen,
    disks: usage ? disksOf(vm, usage) : [await machineDisk(vm)],
    measured: usage ? 'containers' : 'machine',
    cpu_time_us: usage ? usage.cpu_us : machineCpuTime(processors),
  };
}

/** The engine doesn't limit containers to the CVM's disk size, so they may use more. */
function disksOf(vm: Vm, { disk_bytes }: Usage): Record<string, unknown>[] {
  if (disk_bytes === undefined) return [];
  const total_size = vm.config.disk_size * 2 ** 30;
  return [{ name: 'data', mount_point: '/', total_size, free_size: Math.max(0, total_size - disk_bytes) }];
}

async function machineDisk(vm: Vm): Promise<Record<string, unknown>> {
  const { blocks, bavail, bsize } = await statfs(vm.dir);
  return { name: 'data', mount_point: '/', total_size: blocks * bsize, free_size: bavail * bsize };
}

/** The kernel counts milliseconds of each processor since the machine started. */
const machineCpuTime = (processors: readonly os.CpuInfo[]): number =>
  processors.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) * 1000;

export async function networkInfo(vm: Vm, manager: Manager): Promise<Record<string, unknown>> {
  guestUp(vm);
  const usage = await manager.engine.usage(vm.id);
  return { dns_servers: getServers(), gateways: [], interfaces: usage?.interfaces ?? [], wg_info: '' };
}

export async function listContainers(vm: Vm, manager: Manager): Promise<Record<string, unknown>> {
  guestUp(vm);
  const mine = await containersOf(vm, manager);
  return {
    containers: mine.map((one) => ({
      id: one.id,
      names: namesOf(vm, one).map((name) => `/${name}`),
      image: one.image,
      image_id: one.image_id,
      created: one.created,
      state: one.state,
      status: one.status,
    })),
  };
}

async function containersOf(vm: Vm, manager: Manager): Promise<EngineContainer[]> {
  const all = await manager.engine.list();
  return all
    .filter((one) => one.vm_id === vm.id)
    .sort((a, b) => a.service.localeCompare(b.service) || a.index - b.index);
}

/** Returns a container's names: first the one inside a real CVM, then its service. */
function namesOf(vm: Vm, one: EngineContainer): string[] {
  const given = vm.boot?.services.find((service) => service.name === one.service)?.container_name;
  return [given || `dstack-${one.service}-${one.index}`, ...(one.index === 1 ? [one.service] : [])];
}

/** Finds a CVM's container by any of its names, or an ID prefix of at least 12 digits. */
export async function findContainer(
  vm: Vm,
  manager: Manager,
  name: string,
): Promise<EngineContainer | undefined> {
  const wanted = name.replace(/^\//, '');
  const mine = await containersOf(vm, manager);
  return (
    mine.find((one) => namesOf(vm, one).includes(wanted)) ??
    mine.find((one) => wanted.length >= 12 && one.id.startsWith(wanted))
  );
}
