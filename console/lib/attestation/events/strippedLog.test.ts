// Logs as included in certificates: without the boot events, except for the three about ACPI tables.

import { beforeAll, describe, expect, it } from 'vitest';
import { mockEvidence, mockPolicy } from '../testing/mockEvidence';
import { createMockPki, type MockPki } from '../testing/mockPki';
import type { Evidence, EventLogEntry, Report } from '../types';
import { verifyEvidence } from '../verify';

const NOW = 1_800_000_000;
let pki: MockPki;
let whole: Evidence;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  whole = await mockEvidence(pki);
});

const strip = (log: string | undefined): EventLogEntry[] =>
  (JSON.parse(log ?? '[]') as EventLogEntry[]).filter(
    ({ imr, event_type }) => imr === 3 || (imr === 0 && event_type === 10),
  );
const verify = (events: EventLogEntry[], more: Partial<Evidence> = {}): Promise<Report> =>
  verifyEvidence(
    { ...whole, event_log: JSON.stringify(events), ...more },
    { now: NOW, policy: mockPolicy(whole), roots: [pki.rootPem] },
  );
const state = (report: Report, id: string) => report.checks.find((one) => one.id === id)?.state;

describe('an event log without boot events', () => {
  it('is verified if the OS image matches the registers', async () => {
    const report = await verify(strip(whole.event_log));
    expect(report.state).toBe('verified');
    expect(state(report, 'rtmr.boot')).toBe('passed');
  });

  it('fails if an ACPI event was changed, added or removed', async () => {
    const [first, ...rest] = strip(whole.event_log);
    const changed = {
      ...first!,
      digest: first!.digest.replace(/^../, (byte) => (byte === '00' ? '01' : '00')),
    };
    for (const events of [[changed, ...rest], rest, [first!, first!, ...rest]]) {
      const report = await verify(events);
      expect(report.state).toBe('not verified');
      expect(state(report, 'os.image')).toBe('failed');
      expect(state(report, 'rtmr.boot')).not.toBe('passed');
    }
  });

  it('is unknown if nothing measures the OS image', async () => {
    const report = await verify(strip(whole.event_log), { vm_config: undefined });
    expect(report.state).toBe('unknown');
    expect(state(report, 'rtmr.boot')).toBe('skipped');
  });

  it('fails if only some boot events were removed', async () => {
    const events = JSON.parse(whole.event_log ?? '[]') as EventLogEntry[];
    const report = await verify(events.filter(({ imr }) => imr !== 1));
    expect(report.state).toBe('not verified');
    expect(state(report, 'rtmr.boot')).toBe('failed');
  });
});
