import { expect, test } from 'vitest';
import type { ReportState } from '../../lib/attestation/types';
import { widgetMessage } from './widgetMessage';

const STATES = ['verified', 'verified with exceptions', 'not verified', 'unknown', 'simulated'] as const;
const told = (state: ReportState, is_current: boolean) =>
  widgetMessage('ab'.repeat(20), 'vm', {
    report: { state, simulated: state === 'simulated', verified_at: 1_800_000_000 },
    is_current,
  });

test('the page around a widget receives the result for a guest’s evidence', () => {
  for (const state of STATES)
    expect(told(state, true)).toEqual({
      source: 'teehouse',
      version: 1,
      type: 'report',
      app_id: 'ab'.repeat(20),
      vm_uuid: 'vm',
      state,
      simulated: state === 'simulated',
      is_current: true,
      verified_at: 1_800_000_000,
    });
});

test('an app that doesn’t respond is never verified, whatever its last evidence showed', () => {
  expect(STATES.map((state) => told(state, false))).toMatchObject([
    { state: 'unknown', is_current: false },
    { state: 'unknown', is_current: false },
    { state: 'not verified', is_current: false },
    { state: 'unknown', is_current: false },
    { state: 'simulated', is_current: false },
  ]);
});

test('a failure has a reason and no state', () => {
  const message = widgetMessage('ab', 'vm', { reason: 'Couldn’t reach the server.' });
  expect(message).toMatchObject({ type: 'failure', reason: 'Couldn’t reach the server.' });
  expect(message).not.toHaveProperty('state');
});
