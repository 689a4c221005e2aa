import { beforeAll, describe, expect, it } from 'vitest';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import { bytesToHex, utf8 } from '../../lib/bytes';
import { DEFAULT_CHOICES } from '../../lib/attestation/expected';
import { mockEvidence, mockPolicy } from '../../lib/attestation/testing/mockEvidence';
import { createMockPki, type MockPki } from '../../lib/attestation/testing/mockPki';
import { stateNow } from '../../lib/attestation/summary';
import type { Evidence, Report } from '../../lib/attestation/types';
import { verifyEvidence } from '../../lib/attestation/verify';
import { payloadText, shownEvents } from './eventText';
import { verifiedKey } from './useVerified';
import { gapsOf } from '../../lib/attestation/gaps';
import { byWeight, folded, lookOf, STATES, tally, verdictLook } from '../../ui/attestation/checkDisplay';

const NOW = 1_800_000_000;
let pki: MockPki;
let evidence: Evidence;
const verify = (changed: Partial<Evidence> = {}): Promise<Report> =>
  verifyEvidence(
    { ...evidence, ...changed },
    { now: NOW, policy: mockPolicy(evidence), roots: [pki.rootPem] },
  );
const answer = (simulated: boolean) => ({ evidence: { simulated } }) as CvmEvidence;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  evidence = await mockEvidence(pki);
});

it('verifies saved evidence again once other values are expected', () => {
  const saved = {
    vm_uuid: 'b5ad8b84-6ae8-4a5f-b68b-7c8b4a9b2f11',
    source: 'kept',
    collected_at: '2026-11-21T08:00:00Z',
    error: 'The CVM is stopped.',
    expected: { compose_hash: 'aa'.repeat(32), os_images: [] },
  } as unknown as CvmEvidence;
  const keyOf = (answer: CvmEvidence) => JSON.stringify(verifiedKey(answer, DEFAULT_CHOICES, undefined));
  expect(keyOf({ ...saved })).toBe(keyOf(saved));
  // The CVM was updated while it was stopped.
  const expected = { ...saved.expected, compose_hash: 'bb'.repeat(32) };
  expect(keyOf({ ...saved, expected })).not.toBe(keyOf(saved));
});

describe('the list of checks', () => {
  it('lists failures first, then missing checks', async () => {
    const report = await verify({ app_compose: 'other', collateral: undefined });
    const states = byWeight(report.checks).map(({ state, required }) => `${state}${required ? '!' : ''}`);
    expect(states[0]).toBe('failed!');
    const first = (wanted: string) => states.findIndex((state) => state.startsWith(wanted));
    expect(first('failed')).toBeLessThan(first('skipped!'));
    expect(first('skipped!')).toBeLessThan(first('passed'));
    expect(tally(report.checks, false)).toMatch(/^1 failed, \d+ passed, \d+ skipped$/);
  });

  it('groups checks skipped for the same reason and keeps them all', async () => {
    const { checks } = await verify({ collateral: undefined });
    const rows = folded(checks);
    expect(
      rows
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(checks.map(({ id }) => id).toSorted());
    expect(rows.length).toBeLessThan(checks.length);
    for (const [first, ...more] of rows)
      if (more.length > 0) expect(new Set([first, ...more].map((one) => one?.detail)).size).toBe(1);
  });

  it('is never green if everything is simulated', async () => {
    const report = await verify({ simulated: true });
    expect(report.state).toBe('simulated');
    for (const { state } of report.checks) expect(lookOf(state, true).tone).not.toBe('ok');
    expect(STATES[report.state].tone).toBe('simulated');
  });

  it('is green only for a guest that responds', () => {
    expect(verdictLook({ state: 'verified' }, false)).toMatchObject({ tone: 'ok', word: 'Verified' });
    expect(verdictLook({ state: 'verified' }, true)).toMatchObject({
      tone: 'neutral',
      word: 'Verified earlier',
    });
    for (const state of ['verified with exceptions', 'not verified', 'unknown', 'simulated'] as const)
      expect(verdictLook({ state }, true)).toBe(STATES[state]);
  });

  it('is not verified for programs, either, if the guest doesn’t respond', () => {
    for (const state of ['verified', 'verified with exceptions'] as const) {
      expect(stateNow(state, 'guest')).toBe(state);
      expect([stateNow(state, 'kept'), stateNow(state, null)]).toEqual(['unknown', 'unknown']);
    }
    for (const state of ['not verified', 'unknown', 'simulated'] as const)
      expect(stateNow(state, 'kept')).toBe(state);
  });

  it('uses the check mark for one state only', () => {
    const ticks = Object.values(STATES).filter(({ tone }) => tone === 'ok');
    expect(ticks.map(({ word }) => word)).toEqual(['Verified']);
    expect(new Set(Object.values(STATES).map(({ glyph }) => glyph)).size).toBe(5);
  });
});

describe('what was not verified', () => {
  it('is listed for a verified CVM too', async () => {
    const report = await verify();
    expect(report.state).toBe('verified');
    const gaps = gapsOf(answer(false), report, { expected_by: 'server' }).map(({ what }) => what);
    expect(gaps).toEqual(expect.arrayContaining(['Secrets', 'Freshness', 'Device ID', 'Expected values']));
  });
  it('doesn’t include values that the caller chose', async () => {
    const gaps = gapsOf(answer(false), await verify(), { expected_by: 'caller' });
    expect(gaps.map(({ what }) => what)).not.toContain('Expected values');
    // No page besides this tab shows the certificate.
    expect(JSON.stringify(gaps)).toContain('first certificate in the evidence');
  });
  it('omits hardware limits without hardware', async () => {
    const report = await verify({ simulated: true });
    const gaps = gapsOf(answer(true), report, { expected_by: 'server' }).map(({ what }) => what);
    expect(gaps).not.toContain('Secrets');
  });
});

describe('events', () => {
  const hex = (text: string) => bytesToHex(utf8(text));
  it('are shown with their payload if it is text', () => {
    expect(payloadText('key-provider', hex('{"name":"kms"}'))).toBe('{"name":"kms"}');
    expect(payloadText('storage-fs', hex('zfs'))).toBe('zfs');
    // Bytes that happen to be printable are still a hash.
    expect(payloadText('compose-hash', hex('aaaa'))).toBeNull();
    expect(payloadText('own', 'ff00')).toBeNull();
    expect(payloadText('own', 'xyz')).toBeNull();
    // Bidirectional text could make it look like something else.
    expect(payloadText('own', hex('a\u202Eb'))).toBeNull();
  });
  it('are empty for an invalid log', () => {
    expect(shownEvents(undefined)).toBeNull();
    expect(shownEvents('{')).toBeNull();
    expect(shownEvents('{}')).toBeNull();
    expect(shownEvents('[null, 5, {"imr":3,"event":"x","event_payload":7}]')).toEqual([
      { position: 3, register: 'RTMR3', boot: false, event: 'x', payload: '', text: null, digest: '' },
    ]);
    expect(shownEvents(evidence.event_log)?.at(-1)).toMatchObject({
      event: 'my-own-event',
      register: 'RTMR3',
      text: 'of the app',
    });
  });
});
