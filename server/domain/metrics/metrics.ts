import { ownValue } from '../../../console/lib/ownValue';
/**
 * From guest readings to stored samples: rates from counters, the fullest disk, and due warnings. Pure; the
 * collector passes the state after the previous sample.
 */

/** Why a round has no data for a CVM: its host was unreachable, or its guest did not respond. */
export type Missing = 'host' | 'guest';
/** What is measured: the guest, its containers (local teepod on Docker), or this machine (simulated engine). */
export type MetricSource = 'guest' | 'containers' | 'machine';
/** {interface: [received bytes, sent bytes, errors]} */
export type Counters = Record<string, [number, number, number]>;
/** The limit, in percent, that a disk exceeds. */
export type DiskLevel = 0 | 85 | 95;

/** Bytes, uptime in seconds, load averages in hundredths: SysInfo of the guest agent. */
export interface SystemReading {
  num_cpus: number;
  total_memory: number;
  used_memory: number;
  total_swap: number;
  used_swap: number;
  uptime: number;
  loadavg_one: number;
  disks: readonly { name: string; mount_point: string; total_size: number; free_size: number }[];
  cpu_time_us: number | null;
  measured: 'containers' | 'machine' | null;
}

interface InterfaceReading {
  name: string;
  rx_bytes: number;
  tx_bytes: number;
  rx_errors: number;
  tx_errors: number;
}

export interface Reading {
  /** When the guest responded. */
  at: Date;
  system: SystemReading;
  /** null: this part is missing. */
  interfaces: readonly InterfaceReading[] | null;
  containers: readonly { state: string }[] | null;
  /** From the CVM's size. */
  vcpu: number;
}

export interface MetricState {
  sampled_at: Date;
  uptime_seconds: number;
  cpu_time_us: number | null;
  /** null: the guest returned no interfaces. */
  counters: Counters | null;
  source: MetricSource;
  num_cpus: number;
  memory_total: number;
  swap_total: number;
  disk_total: number;
  disk_name: string | null;
  containers_total: number | null;
  disk_levels: Record<string, DiskLevel>;
  memory_high_since: Date | null;
  memory_warned: boolean;
}

/** Percent, load, bytes, bytes per second, errors per second, running containers; null is not measured. */
export interface MetricValues {
  cpu: number | null;
  load: number | null;
  memory: number | null;
  swap: number | null;
  disk: number | null;
  network_in: number | null;
  network_out: number | null;
  network_errors: number | null;
  containers: number | null;
}

export interface MetricAlert {
  kind: 'cvm.disk_low' | 'cvm.disk_recovered' | 'cvm.memory_high' | 'cvm.memory_recovered';
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: Record<string, string | number>;
}

export interface Measured {
  values: MetricValues;
  state: MetricState;
  alerts: MetricAlert[];
}

/** Over a longer silence, a rate would be an average that hides what happened. */
const MAX_RATE_SECONDS = 300;
const MAX_INTERFACES = 32;
const MAX_DISKS = 16;

export function measure(before: MetricState | null, reading: Reading): Measured {
  const { system } = reading;
  const elapsed = before ? (reading.at.getTime() - before.sampled_at.getTime()) / 1000 : 0;
  // An uptime shorter than the time since the previous sample means a reboot, which reset the counters to 0.
  const rebooted = before !== null && system.uptime < before.uptime_seconds && system.uptime < elapsed + 5;
  const seconds = rebooted ? Math.min(elapsed, Math.max(1, system.uptime)) : elapsed;
  const comparable = before !== null && seconds > 0 && elapsed <= MAX_RATE_SECONDS;
  const counters = reading.interfaces && countersOf(reading.interfaces);
  const earlier = rebooted ? {} : (before?.counters ?? null);
  const traffic =
    comparable && counters && earlier ? growth(earlier, counters).map((bytes) => bytes / seconds) : null;
  const source = system.measured ?? 'guest';
  const disks = disksOf(system);
  const largest = disks.reduce<Disk | null>((a, b) => (a && a.total >= b.total ? a : b), null);
  const memory = memoryAlerts(before, reading);
  const levels = diskAlerts(before?.disk_levels ?? {}, disks);
  const values: MetricValues = {
    cpu: comparable ? cpuPercent(before, reading, rebooted, seconds) : null,
    // A machine's load says nothing about one of its CVMs.
    load: source === 'guest' ? Math.max(0, system.loadavg_one) / 100 : null,
    memory: system.total_memory > 0 ? system.used_memory : null,
    swap: system.total_swap > 0 ? system.used_swap : null,
    disk: largest ? largest.total - largest.free : null,
    network_in: traffic?.[0] ?? null,
    network_out: traffic?.[1] ?? null,
    network_errors: traffic?.[2] ?? null,
    containers: whole(reading.containers?.filter(({ state }) => state === 'running').length ?? null, 2 ** 15),
  };
  return {
    values: inRange(values),
    state: {
      sampled_at: reading.at,
      uptime_seconds: whole(system.uptime, 2 ** 31),
      cpu_time_us: whole(system.cpu_time_us),
      counters,
      source,
      num_cpus: whole(system.num_cpus, 2 ** 31),
      memory_total: whole(system.total_memory),
      swap_total: whole(system.total_swap),
      disk_total: whole(largest?.total ?? 0),
      disk_name: largest?.name ?? null,
      containers_total: whole(reading.containers?.length ?? null, 2 ** 15),
      disk_levels: levels.levels,
      memory_high_since: memory.since,
      memory_warned: memory.warned,
    },
    alerts: [...levels.alerts, ...memory.alerts],
  };
}

/** Samples of all CVMs of a host are written together, in single precision: one guest must not spoil the others'. */
const inRange = (values: MetricValues): MetricValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, number | null]) => [
      name,
      value === null ? null : value < 1e-9 ? 0 : Math.min(value, 2 ** 53),
    ]),
  ) as unknown as MetricValues;

/** Guest values are untrusted; a column takes integers within its range. */
const whole = <T extends number | null>(value: T, below = 2 ** 53): T =>
  (value === null ? null : Math.min(below - 1, Math.max(0, Math.trunc(value)))) as T;

/**
 * Percent of the CVM's own vCPUs, of which a machine may have fewer; of the machine's processors when the
 * machine is measured.
 */
function cpuPercent(
  before: MetricState,
  { system, vcpu }: Reading,
  rebooted: boolean,
  seconds: number,
): number | null {
  if (system.cpu_time_us === null) return null;
  const earlier = rebooted ? 0 : before.cpu_time_us;
  // A lower value means the counter was reset; usage in between is unknown.
  if (earlier === null || system.cpu_time_us < earlier) return null;
  const cpus =
    system.measured === 'machine' ? system.num_cpus : Math.min(vcpu, system.num_cpus || vcpu) || vcpu;
  const share = (system.cpu_time_us - earlier) / (seconds * 1e6 * Math.max(1, cpus));
  return Math.min(1, share) * 100;
}

/**
 * Interfaces inside the CVM. Excluding loopback, bridges, tunnels and container ends counts each byte that
 * crosses its border once.
 */
const INSIDE = /^(lo|docker\d*|br-.*|veth.*|virbr.*|wg\d*|dummy\d*|tun\d*|tap\d*|cni\d*|flannel.*|ifb\d*)$/;

function countersOf(interfaces: readonly InterfaceReading[]): Counters {
  const outer = interfaces.filter(({ name }) => !INSIDE.test(name.slice(name.indexOf(':') + 1)));
  return Object.fromEntries(
    outer
      .slice(0, MAX_INTERFACES)
      .map(({ name, rx_bytes, tx_bytes, rx_errors, tx_errors }) => [
        name.slice(0, 100),
        [rx_bytes, tx_bytes, rx_errors + tx_errors],
      ]),
  );
}

/** An interface that is new, or counts less than before, has counted from 0 since. */
function growth(before: Counters, now: Counters): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (const [name, counts] of Object.entries(now)) {
    const earlier = ownValue(before, name);
    const reset = !earlier || counts[0] < earlier[0] || counts[1] < earlier[1];
    for (const i of [0, 1, 2] as const) sum[i] += Math.max(0, counts[i] - (reset ? 0 : earlier[i]));
  }
  return sum;
}

interface Disk {
  name: string;
  total: number;
  free: number;
}

/** A device mounted in several places is one disk. */
function disksOf(system: SystemReading): Disk[] {
  const byName = new Map<string, Disk>();
  for (const { name, mount_point, total_size, free_size } of system.disks) {
    const id = (name || mount_point).slice(0, 100);
    if (total_size > 0 && !byName.has(id) && byName.size < MAX_DISKS)
      byName.set(id, { name: id, total: total_size, free: Math.min(total_size, Math.max(0, free_size)) });
  }
  return [...byName.values()];
}

/** A limit is exceeded at its percentage and cleared five points below, so that hovering reports once. */
const LIMITS = [95, 85] as const;
const MARGIN = 5;

function diskAlerts(before: Record<string, DiskLevel>, disks: readonly Disk[]) {
  const levels: Record<string, DiskLevel> = {};
  const alerts: MetricAlert[] = [];
  for (const disk of disks) {
    const percent = (1 - disk.free / disk.total) * 100;
    const earlier = ownValue(before, disk.name);
    // A read-only image is full by design.
    const level =
      earlier === undefined && disk.free === 0
        ? 95
        : (LIMITS.find(
            (limit) => percent >= limit || ((earlier ?? 0) >= limit && percent > limit - MARGIN),
          ) ?? 0);
    levels[disk.name] = level;
    if (earlier === undefined ? disk.free === 0 || level === 0 : level === earlier) continue;
    const data = {
      disk: disk.name,
      percent: Math.round(percent * 10) / 10,
      free_bytes: disk.free,
      total_bytes: disk.total,
    };
    if (level > (earlier ?? 0))
      alerts.push({
        kind: 'cvm.disk_low',
        severity: level === 95 ? 'error' : 'warning',
        message: `Disk ${disk.name} is ${Math.floor(percent)}% full: ${gigabytes(disk.free)} of ${gigabytes(disk.total)} left`,
        data: { ...data, limit: level },
      });
    // From above 95 to above 85 it is still low, which was already reported.
    else if (level === 0)
      alerts.push({
        kind: 'cvm.disk_recovered',
        severity: 'info',
        message: `Disk ${disk.name} has free space again: ${gigabytes(disk.free)} of ${gigabytes(disk.total)} free`,
        data,
      });
  }
  const low = disks.filter(({ name, free }) => free > 0 && (ownValue(levels, name) ?? 0) > 0).length;
  for (const { kind, data } of alerts) if (kind === 'cvm.disk_recovered') data.disks_still_low = low;
  return { levels, alerts };
}

const MEMORY_HIGH = 95;
const MEMORY_AGAIN = 90;
const MEMORY_MINUTES = 10;

function memoryAlerts(before: MetricState | null, { at, system }: Reading) {
  const percent = system.total_memory > 0 ? (system.used_memory / system.total_memory) * 100 : 0;
  const warned = before?.memory_warned ?? false;
  // A machine's memory belongs to no single CVM.
  if (system.measured === 'machine') return { since: null, warned: false, alerts: [] };
  const data = { percent: Math.round(percent * 10) / 10, total_bytes: system.total_memory };
  if (warned) {
    if (percent >= MEMORY_AGAIN) return { since: before?.memory_high_since ?? at, warned, alerts: [] };
    const alert: MetricAlert = {
      kind: 'cvm.memory_recovered',
      severity: 'info',
      message: `Memory usage is down to ${Math.floor(percent)}%`,
      data,
    };
    return { since: null, warned: false, alerts: [alert] };
  }
  if (percent < MEMORY_HIGH) return { since: null, warned, alerts: [] };
  const quiet = before && (at.getTime() - before.sampled_at.getTime()) / 1000 > MAX_RATE_SECONDS;
  const since = (quiet ? null : before?.memory_high_since) ?? at;
  if (at.getTime() - since.getTime() < MEMORY_MINUTES * 60_000) return { since, warned, alerts: [] };
  const alert: MetricAlert = {
    kind: 'cvm.memory_high',
    severity: 'warning',
    message: `Memory usage has been above ${MEMORY_HIGH}% for ${MEMORY_MINUTES} minutes (${Math.floor(percent)}% now)`,
    data,
  };
  return { since, warned: true, alerts: [alert] };
}

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
