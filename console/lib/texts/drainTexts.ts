import type { OperationType } from '../../../generated/api/types.gen';
import { writerOf } from './text';

interface Free {
  wanted: number;
  most: number;
}

interface GpusTaken {
  wanted: number;
  model: string;
  /** The host with the most of them, and its total. */
  host: string;
  count: number;
  free: number;
  used: number;
  /** Reserved for other teams. */
  reserved: number;
  broken: number;
}

function gpusTaken({ wanted, model, host, count, ...use }: GpusTaken): string {
  const parts = [
    [use.free, 'free'],
    [use.used, 'in use'],
    [use.reserved, 'reserved for other teams'],
    [use.broken, 'out of service'],
  ] as const;
  const said = parts.flatMap(([n, what]) => (n > 0 ? [`${n} ${what}`] : []));
  return `It needs ${wanted} × ${model}. The closest host, ${host}, has ${count}: ${said.join(', ')}.`;
}

/** Reasons why no host has capacity for a CVM. */
const CAPACITY_TEXTS = {
  no_host: () => 'No host is accepting new CVMs.',
  no_region_host: ({ region }: { region: string }) => `No host in region “${region}” is accepting new CVMs.`,
  no_slot: () => 'All CVM slots on your available hosts are in use (limit: CVM slots).',
  no_gpu: ({ wanted, most }: Free) =>
    `No host has ${wanted === 1 ? 'a GPU' : `${wanted} GPUs`} free for your team (limit: GPUs; most free: ${most}).`,
  no_vcpu: ({ wanted, most }: Free) => `No host has ${wanted} vCPU free (limit: vCPU; most free: ${most}).`,
  no_memory: ({ wanted, most }: Free) =>
    `No host has ${wanted} MB of memory free (limit: memory; most free: ${most} MB).`,
  no_disk: ({
    vcpu,
    memory_mb,
    disk_gb,
    most,
  }: {
    vcpu: number;
    memory_mb: number;
    disk_gb: number;
    most: number;
  }) =>
    `No host has ${vcpu} vCPU, ${memory_mb} MB of memory and ${disk_gb} GB of disk free together (limit: disk; most free: ${most} GB).`,
} as const;

export const capacityText = writerOf(CAPACITY_TEXTS);

/** Messages of a drain about itself and each of its CVMs. */
export const DRAIN_TEXTS = {
  ...CAPACITY_TEXTS,
  owner_allows_move: () => 'Its owner allows it to be moved.',
  nothing_on_disk: () => 'Its containers are read-only and have no volumes.',
  disk_protected: () => 'It is protected against deletion, and a move destroys its disk.',
  disk_not_movable: () =>
    'Its disk may hold data that would stay on this host, and its owner hasn’t allowed moving it.',
  no_other_host: () => 'No other host available to its team is accepting CVMs.',
  no_kms_host: () => 'No other host uses the key service that holds its keys.',
  no_gateway_host: () => 'No other host is behind the same gateway, so its addresses would change.',
  no_image_host: ({ image }: { image: string }) => `No other host has its OS image ${image}.`,
  no_port_host: () => 'No other host maps its ports to CVMs.',
  port_taken: ({ port, host }: { port: string; host: string }) =>
    `Port ${port} of ${host} is mapped to another CVM.`,
  no_all_gpus_host: () => 'No other host attaches all of its GPUs to one CVM and has as many.',
  no_gpu_host: () => 'No other host has the GPUs it needs.',
  no_gpu_model_host: ({ wanted, model }: { wanted: number; model: string }) =>
    `It needs ${wanted} × ${model}, which no other suitable host has.`,
  gpus_taken: gpusTaken,

  cvm_deleted: () => 'It was deleted.',
  cvm_recycled: () => 'It is in the recycle bin. Its disk stays on the host until it is destroyed.',
  on_other_host: () => 'It is already on another host.',
  cvm_lost: () => 'The host doesn’t list its VM. It is moved or stopped once it is found or given up.',
  cvm_changing: () => 'It’s busy: another operation is in progress.',
  operation_live: ({ operation }: { operation: OperationType }) => `Waiting for its ${operation} to finish.`,
  rollback_live: () => 'Waiting for its rollback to finish.',
  operation_failed: ({ operation }: { operation: OperationType }) => `Its ${operation} failed.`,
  /** The message of an operation from an earlier version. */
  operation_said: ({ text }: { text: string }) => text,
  cvm_was_stopped: () => 'It was already stopped. Its disk stays on the host.',
  host_down: () => 'The host isn’t responding, so the CVM can’t be shut down cleanly.',
  left_running: () => 'It stays running, as configured for this drain.',
  waiting_turn: () => 'Waiting for its turn.',
  cvm_moving: ({ host }: { host: string }) => `Moving to ${host}.`,
  cvm_moved: () => 'Moved. It started with an empty disk.',
  cvm_started: () => 'It was started again.',
  stop_announced: ({ at }: { at: string }) =>
    `It will be stopped at ${utcMinute(at)}. Its team has been notified.`,
  cvm_stopping: () => 'Shutting down.',
  cvm_stopped: () => 'Stopped. Its disk stays on the host.',
  drain_canceled: () => 'The drain was canceled before it changed this CVM.',
  drain_canceled_late: () => 'The drain was canceled. Operations already started continue.',

  /** Precedes a message about the CVM. */
  cvm_named: ({ name }: { name: string }) => `“${name}”:`,
  more_blocked: ({ count }: { count: number }) => `And ${count} more.`,
  drain_done: ({ moved, stopped }: { moved: number; stopped: number }) =>
    `Nothing is running on the host anymore: ${moved} moved, ${stopped} stopped.`,
} as const;

/** Formats a time for administrators in any time zone: "2026-11-22 16:40 UTC". */
const utcMinute = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`;

export const drainText = writerOf(DRAIN_TEXTS);
