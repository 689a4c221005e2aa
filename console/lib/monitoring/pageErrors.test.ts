import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchPageErrors, type CaughtError, type MonitoringSettings } from './pageErrors';

const SETTINGS: MonitoringSettings = {
  monitoring_dsn: 'https://key@errors.example.com/7',
  version: '1.2.3',
  environment: 'production',
  traces_sample_rate: 0,
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page whose reporter records its input and the service. */
function page({ offline = 0 } = {}) {
  let failures = offline;
  const sent: [version: string, error: unknown][] = [];
  const importReporter = () =>
    failures-- > 0
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve({
          createReporter:
            ({ version }: MonitoringSettings) =>
            ({ error }: CaughtError) =>
              void sent.push([version, error]),
        });
  const errors = watchPageErrors({ importReporter, isExpected: (error) => error === 'expected' });
  errors.start();
  return { errors, sent, settle: () => vi.advanceTimersByTimeAsync(20_000) };
}

describe('an error of a page', () => {
  it('before the settings arrive is reported to their service', async () => {
    const { errors, sent, settle } = page();
    errors.report('early');
    errors.configure(SETTINGS);
    await settle();
    expect(sent).toEqual([['1.2.3', 'early']]);
  });

  it('is reported after a while if the settings never arrive', async () => {
    const { errors, sent, settle } = page();
    errors.report('early');
    await settle();
    expect(sent).toEqual([['unknown', 'early']]);
  });

  it('goes to the service as soon as it is known, even after one without', async () => {
    const { errors, sent, settle } = page();
    errors.report('early');
    await settle();
    errors.configure(SETTINGS);
    await settle();
    errors.report('late');
    expect(sent).toEqual([
      ['unknown', 'early'],
      ['1.2.3', 'late'],
    ]);
  });

  it('is reported once: as the same object, and as a new one with the same text', async () => {
    const { errors, sent, settle } = page();
    errors.configure(SETTINGS);
    const error = new Error('Render failed');
    const id = errors.report(error);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(errors.report(error)).toBe(id);
    expect(errors.report(new Error('Render failed'))).toBe(id);
    errors.report('expected');
    await settle();
    expect(sent).toEqual([['1.2.3', error]]);
  });

  it('is sent later if the network is down', async () => {
    const { errors, sent, settle } = page({ offline: 1 });
    errors.configure(SETTINGS);
    errors.report('first');
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([]);
    await settle();
    expect(sent).toEqual([['1.2.3', 'first']]);
  });
});
