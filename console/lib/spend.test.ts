import { expect, test } from 'vitest';
import { hourlyMicros } from './spend';

const cvm = (status: string, hourly_rate: string | null = '0.058', desired_status = 'running') => ({
  status,
  desired_status,
  hourly_rate,
});

test('only what runs, or keeps running through a change, costs', () => {
  expect(hourlyMicros([cvm('running'), cvm('restarting'), cvm('updating')])).toBe(174_000);
  expect(hourlyMicros([cvm('stopped', '0.058', 'stopped'), cvm('error'), cvm('creating')])).toBe(0);
  expect(hourlyMicros([cvm('running', null), cvm('running', 'free')])).toBe(0);
});
