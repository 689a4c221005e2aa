/** VmInfo as returned by Status and GetInfo. */
import { readAppCompose } from './appCompose';
import type { StatusRequest, VmConfiguration } from './wire';
import type { Vm, VmEvent } from './vm';

export interface VmInfo {
  id: string;
  name: string;
  status: string;
  uptime: string;
  app_url: string | null;
  app_id: string;
  instance_id: string | null;
  configuration: VmConfiguration | null;
  exited_at: string;
  boot_progress: string;
  boot_error: string;
  shutdown_progress: string;
  image_version: string;
  events: VmEvent[];
  interfaces: never[];
}

const AGENT_PORT = 8090;
const NEVER = 'never';

export function vmInfo(vm: Vm, brief: boolean, baseDomain: string): VmInfo {
  const instance = vm.record.instance_id;
  return {
    id: vm.id,
    name: vm.config.name,
    status: vm.status,
    uptime: uptimeOf(vm),
    app_url: instance && gatewayEnabled(vm) ? `http://${instance}-${AGENT_PORT}.${baseDomain}` : null,
    app_id: vm.record.app_id,
    instance_id: instance || null,
    configuration: brief ? null : shownConfiguration(vm),
    // Like dstack-vmm: the time since it ended, not a date.
    exited_at: vm.exitedAt > 0 ? humanDuration(Date.now() - vm.exitedAt) : NEVER,
    boot_progress: vm.progress,
    boot_error: vm.error,
    shutdown_progress: vm.shutdownProgress,
    image_version: imageVersion(vm.boot?.image ?? vm.config.image),
    events: vm.events,
    interfaces: [],
  };
}

/** Uptime of the running VM, or of its last run. */
function uptimeOf(vm: Vm): string {
  if (vm.startedAt === 0) return NEVER;
  const until = vm.alive || vm.exitedAt === 0 ? Date.now() : vm.exitedAt;
  return humanDuration(until - vm.startedAt);
}

function shownConfiguration(vm: Vm): VmConfiguration {
  return {
    ...vm.config,
    app_id: vm.record.app_id,
    gpus: vm.config.gpus ?? { gpus: [], attach_mode: 'listed' },
    stopped: !vm.record.started,
  };
}

/**
 * Cached by configuration, which is replaced rather than modified: Status is polled, and Compose files may be
 * large.
 */
const gatewayFlags = new WeakMap<VmConfiguration, boolean>();

function gatewayEnabled(vm: Vm): boolean {
  const known = gatewayFlags.get(vm.config) ?? readGatewayFlag(vm.config.compose_file);
  gatewayFlags.set(vm.config, known);
  return known;
}

/** A damaged record must not break the list of all CVMs. */
function readGatewayFlag(composeFile: string): boolean {
  try {
    return readAppCompose(composeFile).gateway_enabled;
  } catch {
    return false;
  }
}

export function imageVersion(image: string): string {
  return /(\d+\.\d+\.\d+)$/.exec(image)?.[1] ?? '0.0.0';
}

/** `1d 2h 3m 4s` */
function humanDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const parts: [number, string][] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ];
  return (
    parts
      .filter(([value]) => value > 0)
      .map(([value, unit]) => `${value}${unit}`)
      .join(' ') || '0s'
  );
}

/** `keyword` matches a substring of name, ID, app ID or image. Pages count from 1; 0 = all. */
export function selectVms(vms: Vm[], request: StatusRequest): { vms: Vm[]; total: number } {
  const ids = new Set(request.ids);
  const keyword = request.keyword;
  const matching = vms.filter(
    (vm) =>
      (ids.size === 0 || ids.has(vm.id)) &&
      (keyword === '' ||
        [vm.config.name, vm.id, vm.record.app_id, vm.config.image].some((text) => text.includes(keyword))),
  );
  const total = matching.length;
  if (request.page === 0 || request.page_size === 0) return { vms: matching, total };
  const from = (request.page - 1) * request.page_size;
  return { vms: matching.slice(from, from + request.page_size), total };
}
