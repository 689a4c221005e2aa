import { expect, test } from 'vitest';
import { hourlyAfterOrders, hourlyMicros, moreDiskMicros, ratesOf } from './spend';

const cvm = (status: string, total = '0.058', desired_status = 'running') => ({
  status,
  desired_status,
  hourly_rate: { total },
  resource: { disk_in_gb: 20 },
  operation: null as { type: string; state: string } | null,
});

test('a CVM that is running, or keeps running through a change, costs its rate', () => {
  expect(hourlyMicros([cvm('running'), cvm('restarting'), cvm('updating')])).toBe(174_000);
  expect(hourlyMicros([cvm('running', 'free')])).toBe(0);
});

test('a stopped or failed CVM costs its disk', () => {
  expect(hourlyMicros([cvm('stopped', '0.058', 'stopped'), cvm('error')])).toBe(4_000);
});

test('a stopped CVM costs what the server says if an order covers part of it', () => {
  const covered = cvm('stopped', '0.003', 'stopped');
  expect(hourlyMicros([{ ...covered, hourly_rate: { total: '0.003', stopped: '0.003' } }])).toBe(3_000);
  expect(hourlyMicros([{ ...covered, hourly_rate: { total: '0.00', stopped: '0.00' } }])).toBe(0);
});

test('a covered CVM costs its rate after the order ends', () => {
  const after_order = { total: '0.058', stopped: '0.002' };
  const covered = (status: string, desired = 'running') => ({
    ...cvm(status, '0.00', desired),
    hourly_rate: { total: '0.00', stopped: '0.00', after_order },
  });
  expect(hourlyAfterOrders([covered('running'), cvm('running')])).toBe(116_000);
  expect(hourlyAfterOrders([covered('stopped', 'stopped')])).toBe(2_000);
  expect(hourlyAfterOrders([cvm('running'), covered('deleted')])).toBeNull();
});

test('disk above what a size includes costs the same as while stopped', () => {
  expect(moreDiskMicros(20, 20)).toBe(0);
  expect(moreDiskMicros(10, 20)).toBe(0);
  expect(moreDiskMicros(5000, 20)).toBe(498_000);
});

test('a CVM that never ran costs nothing', () => {
  const failed = { ...cvm('error'), operation: { type: 'deploy', state: 'failed' } };
  expect(hourlyMicros([cvm('creating'), failed])).toBe(0);
  expect(hourlyMicros([{ ...cvm('running'), operation: { type: 'deploy', state: 'succeeded' } }])).toBe(
    58_000,
  );
});

test('the price while running is shown beside the current one if they differ', () => {
  expect(ratesOf(cvm('running'))).toEqual({ now: 58_000, running: null });
  expect(ratesOf(cvm('stopped', '0.058', 'stopped'))).toEqual({ now: 2_000, running: 58_000 });
  expect(ratesOf(cvm('creating'))).toEqual({ now: 0, running: 58_000 });
  expect(ratesOf(cvm('deleting'))).toEqual({ now: 0, running: null });
});
