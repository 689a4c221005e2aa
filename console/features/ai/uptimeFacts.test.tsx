import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { AiModelUptime } from '../../../generated/api/types.gen';
import { KeyValue } from '../../ui/data/KeyValue';
import { stripLabel, uptimeFacts } from './uptimeFacts';

const OUTSIDE = { is_built_in: false, is_in_tee: false };
const none = { share: null, measured_hours: 0 };
const unmeasured: AiModelUptime = { last_24_hours: none, last_7_days: none, last_30_days: none, days: [] };

const shown = (uptime: AiModelUptime, model = OUTSIDE) =>
  renderToStaticMarkup(<KeyValue facts={uptimeFacts(uptime, model)} />);

const day = (date: string, share: number | null) => ({
  date,
  share,
  measured_hours: share === null ? 0 : 24,
});

it('shows the uptime over three periods and by day', () => {
  const text = shown({
    last_24_hours: { share: 1, measured_hours: 24 },
    last_7_days: none,
    last_30_days: { share: 0.9993, measured_hours: 50 },
    days: [day('2026-11-26', 0.931), day('2026-11-27', null), day('2026-11-28', 1)],
  });
  expect(text).toMatch(/Uptime, 24 hours<.*?>100%</);
  expect(text).toMatch(/Uptime, 7 days<.*?>Not measured</);
  expect(text).toMatch(/Uptime, 30 days<.*?>99.93%/);
  expect(text).toContain('Measured in 50 of 720 hours');
  expect(text).toContain(
    'role="img" aria-label="Uptime by day, last 30 days: at least 99.9% on 1 day, less on 1 day, not measured on 28 days. Lowest: 93.1% on Nov 26."',
  );
  expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
    ...Array.from({ length: 27 }, () => 'Not measured'),
    'Nov 26: 93.1%',
    'Nov 27: not measured',
    'Nov 28: 100%',
  ]);
});

it('describes days by how good they were, in UTC', () => {
  const days = Array.from({ length: 30 }, (_, i) => day(`2026-11-${String(i + 1).padStart(2, '0')}`, 1));
  expect(stripLabel(days)).toBe('Uptime by day, last 30 days: at least 99.9% on 30 days.');
});

it('omits the measured hours once every hour was measured', () => {
  const all = { share: 1, measured_hours: 720 };
  expect(
    shown({ last_24_hours: all, last_7_days: all, last_30_days: all, days: [day('2026-11-28', 1)] }),
  ).not.toContain('Measured in');
});

it('says why nothing is measured', () => {
  expect(shown(unmeasured)).toContain('Not measured yet');
  expect(shown(unmeasured, { ...OUTSIDE, is_built_in: true })).toContain('Not measured: part of this server');
  expect(shown(unmeasured, { ...OUTSIDE, is_in_tee: true })).toContain('only gateways in a TEE');
});
