import { describe, expect, it } from 'vitest';
import { noticesOf } from '../notifications/notices';
import { measure, type MetricState, type Reading, type SystemReading } from './metrics';

const GB = 2 ** 30;
const START = Date.parse('2026-11-21T10:00:00Z');
const after = (seconds: number) => new Date(START + seconds * 1000);

const system = (change: Partial<SystemReading> = {}): SystemReading => ({
  num_cpus: 4,
  total_memory: 4 * GB,
  used_memory: GB,
  total_swap: 0,
  used_swap: 0,
  uptime: 1000,
  loadavg_one: 123,
  disks: [],
  cpu_time_us: null,
  measured: null,
  ...change,
});
const reading = (
  seconds: number,
  change: Partial<SystemReading> = {},
  more: Partial<Reading> = {},
): Reading => ({
  at: after(seconds),
  system: system({ uptime: 1000 + seconds, ...change }),
  interfaces: [],
  containers: [{ state: 'running' }, { state: 'exited' }],
  vcpu: 4,
  ...more,
});
const card = (name: string, rx_bytes: number, tx_bytes: number, rx_errors = 0) => ({
  name,
  rx_bytes,
  tx_bytes,
  rx_errors,
  tx_errors: 0,
});
/** Applies readings in order; returns the last result with every alert on the way. */
function course(readings: readonly Reading[]) {
  let state: MetricState | null = null;
  const alerts: string[] = [];
  const all = readings.map((one) => {
    const measured = measure(state, one);
    state = measured.state;
    alerts.push(...measured.alerts.map(({ kind, severity }) => `${kind} ${severity}`));
    return measured.values;
  });
  return { all, last: all.at(-1)!, alerts };
}

describe('rates', () => {
  const traffic = (seconds: number, ...interfaces: ReturnType<typeof card>[]) =>
    reading(seconds, {}, { interfaces });

  it('are known from the second sample', () => {
    const { all } = course([traffic(0, card('eth0', 5000, 100)), traffic(30, card('eth0', 8000, 400, 3))]);
    expect(all.map((one) => [one.network_in, one.network_out, one.network_errors])).toEqual([
      [null, null, null],
      [100, 10, 0.1],
    ]);
  });
  it('count each byte once, excluding bridges, tunnels, container ends and loopback', () => {
    const before = [card('eth0', 0, 0), card('lo', 0, 0), card('docker0', 0, 0), card('wg0', 0, 0)];
    const now = [card('eth0', 300, 0), card('lo', 9e9, 0), card('docker0', 300, 0), card('wg0', 300, 0)];
    expect(course([traffic(0, ...before), traffic(30, ...now)]).last.network_in).toBe(10);
  });
  it('count from 0 after a counter reset, and a removed interface subtracts nothing', () => {
    expect(
      course([traffic(0, card('a:eth0', 9000, 9000)), traffic(30, card('a:eth0', 60, 30))]).last,
    ).toMatchObject({ network_in: 2, network_out: 1 });
    expect(
      course([
        traffic(0, card('a:eth0', 9000, 0), card('b:eth0', 500, 0)),
        traffic(30, card('b:eth0', 530, 0), card('c:eth0', 60, 0)),
      ]).last.network_in,
    ).toBe(3);
  });
  it('after a reboot are those since the boot', () => {
    const rebooted = reading(30, { uptime: 10 }, { interfaces: [card('eth0', 20_000, 0)] });
    expect(course([traffic(0, card('eth0', 5000, 0)), rebooted]).last.network_in).toBe(2000);
  });
  it('are not estimated for a long silence, nor when the guest returned no interfaces', () => {
    expect(
      course([traffic(0, card('eth0', 0, 0)), traffic(900, card('eth0', 9000, 0))]).last.network_in,
    ).toBeNull();
    const silent = reading(30, {}, { interfaces: null });
    const rest = [60, 90].map((seconds) => traffic(seconds, card('eth0', seconds * 20, 0)));
    const { all } = course([traffic(0, card('eth0', 0, 0)), silent, ...rest]);
    expect(all.map(({ network_in }) => network_in)).toEqual([null, null, null, 20]);
  });
});

describe('CPU', () => {
  const busy = (seconds: number, cpu_time_us: number, more: Partial<SystemReading> = {}, vcpu = 2) =>
    reading(seconds, { cpu_time_us, measured: 'containers', ...more }, { vcpu });

  it('is the share of the CVM’s own vCPUs if its CPU time is known, and load is not', () => {
    const { last } = course([busy(0, 5_000_000), busy(30, 20_000_000)]);
    expect(last).toMatchObject({ cpu: 25, load: null });
  });
  it('counts no more processors than the machine has, and is never above 100%', () => {
    expect(course([busy(0, 0, { num_cpus: 2 }, 16), busy(30, 30e6, { num_cpus: 2 }, 16)]).last.cpu).toBe(50);
    expect(course([busy(0, 0), busy(30, 90e6)]).last.cpu).toBe(100);
  });
  it('is unknown after the clock was reset', () => {
    expect(course([busy(0, 9e6), busy(30, 1e6)]).last.cpu).toBeNull();
  });
  it('is the load for a guest that reports only its load', () => {
    expect(course([reading(0), reading(30)]).last).toMatchObject({ cpu: null, load: 1.23, containers: 1 });
  });
});

describe('low disk', () => {
  const full = (seconds: number, percent: number, name = '/dev/vdb') =>
    reading(seconds, {
      disks: [
        { name, mount_point: '/data', total_size: 100 * GB, free_size: (100 - percent) * GB },
        { name, mount_point: '/again', total_size: 100 * GB, free_size: (100 - percent) * GB },
        { name: 'rootfs', mount_point: '/', total_size: GB, free_size: 0 },
      ],
    });
  const at = (...percents: number[]) => course(percents.map((percent, i) => full(i * 30, percent)));

  it('is reported once at each limit, and once when it recovers', () => {
    expect(at(50, 84, 85, 86, 90, 95, 97, 96, 60, 50).alerts).toEqual([
      'cvm.disk_low warning',
      'cvm.disk_low error',
      'cvm.disk_recovered info',
    ]);
  });
  it('is reported once while hovering at the limit', () => {
    expect(at(84, 85.2, 84.8, 85.1, 83, 85, 81, 85).alerts).toEqual(['cvm.disk_low warning']);
    expect(at(96, 94, 95, 91, 96).alerts).toEqual(['cvm.disk_low error']);
    expect(at(96, 88, 96).alerts).toEqual(['cvm.disk_low error', 'cvm.disk_low error']);
  });
  it('ends its notice when no disk is low anymore', () => {
    const two = (seconds: number, data: number, logs: number) =>
      reading(seconds, {
        disks: [
          ...full(0, data).system.disks,
          { name: '/dev/vdc', mount_point: '/logs', total_size: 100 * GB, free_size: (100 - logs) * GB },
        ],
      });
    const states = (...readings: Reading[]) => {
      let before: MetricState | null = null;
      return readings.flatMap((one) => {
        const { state, alerts } = measure(before, one);
        before = state;
        return alerts.flatMap((alert) =>
          noticesOf({ ...alert, cvm_id: 7, cvm_name: 'web', cvm_status: 'running', app_id: null }).map(
            (notice) => notice.state,
          ),
        );
      });
    };
    expect(states(two(0, 50, 50), two(30, 90, 90), two(60, 50, 90))).toEqual(['open', 'open']);
    expect(states(two(0, 90, 50), two(30, 50, 50))).toEqual(['open', 'over']);
  });
  it('ignores a read-only image, which is always full', () => {
    expect(at(10, 10).alerts).toEqual([]);
    expect(at(10).last.disk).toBe(10 * GB);
  });
});

describe('high memory', () => {
  const used = (minutes: number, percent: number, more: Partial<SystemReading> = {}) =>
    reading(minutes * 60, { used_memory: (percent / 100) * 4 * GB, ...more });
  const each = (minutes: number, percent: number) =>
    Array.from({ length: minutes }, (_, minute) => used(minute, percent));

  it('is reported once after ten uninterrupted minutes, and when it recovers', () => {
    expect(course(each(10, 96)).alerts).toEqual([]);
    expect(course([...each(30, 96), used(31, 92), used(32, 80), used(33, 80)]).alerts).toEqual([
      'cvm.memory_high warning',
      'cvm.memory_recovered info',
    ]);
    expect(course([...each(9, 96), used(9, 80), ...each(19, 96).slice(10)]).alerts).toEqual([]);
  });
  it('is not attributed to a CVM when it is the machine’s', () => {
    expect(
      course(each(30, 99).map((one) => ({ ...one, system: { ...one.system, measured: 'machine' as const } })))
        .alerts,
    ).toEqual([]);
  });
});
