import { describe, expect, it } from 'vitest';
import type { RolloutItem } from '../../../../generated/api/types.gen';
import { stepsOf } from './rollout';

const item = (change: Partial<RolloutItem>): RolloutItem => ({
  cvm: { object_type: 'cvm', id: 'cvm_1', name: 'web-1', app_id: null, vm_uuid: null },
  state: 'checking',
  message: 'Containers have been up for 4 of 15 s.',
  reason: null,
  detail: null,
  previous_revision: { revision_id: 'rev_1', revision_number: 1 },
  operation_id: null,
  revert_operation_id: null,
  evidence: null,
  containers: [],
  started_at: null,
  finished_at: null,
  ...change,
});
const step = (change: Partial<RolloutItem>) => stepsOf({ items: [item(change)] })[0];

describe('stepsOf', () => {
  it('shows what happens to each CVM', () => {
    expect(step({})).toMatchObject({
      label: 'web-1 is being checked',
      state: 'running',
      detail: 'Containers have been up for 4 of 15 s.',
    });
    expect(step({ state: 'failed', message: 'web restarts again and again' })).toMatchObject({
      state: 'failed',
      detail: 'web restarts again and again',
    });
    const failed = { state: 'failed', message: 'Of another version.' } as const;
    expect(step({ ...failed, reason: 'not_healthy', detail: 'web is restarting' })?.detail).toBe(
      'It wasn’t healthy in time. web is restarting',
    );
    expect(step({ ...failed, reason: 'update_failed' })?.detail).toBe('Its update failed.');
  });

  it('calls a CVM healthy only if it was observed healthy', () => {
    const message = 'It was stopped before its health check passed.';
    const shown = { label: 'web-1 has the new revision', detail: message };
    expect(
      step({ state: 'updated', reason: 'stopped_before_check', message: 'Of another version.' }),
    ).toMatchObject(shown);
    // Of an earlier version, which stored only the message.
    expect(step({ state: 'updated', message })).toMatchObject(shown);
    const later = { reason: 'of_a_later_version' as 'deleted', message: 'Its text.' };
    expect(step({ state: 'updated', ...later })).toMatchObject({ ...shown, detail: 'Its text.' });
    expect(step({ state: 'updated', message: null })?.label).toBe('web-1 is healthy on the new revision');
  });

  it('never labels guest reports as verified', () => {
    const evidence = {
      compose_hash: 'aa'.repeat(32),
      expected: 'aa'.repeat(32),
      matches: true,
      checked_at: null,
      detail: null,
    };
    expect(step({ message: null, evidence: { ...evidence, trust: 'simulated' } })?.detail).toBe(
      'Runs the new compose hash (simulated, no hardware TEE).',
    );
    expect(step({ message: null, evidence: { ...evidence, trust: 'unknown' } })?.detail).toContain(
      'not verified',
    );
    expect(
      step({ message: null, evidence: { ...evidence, matches: false, trust: 'unknown' } })?.detail,
    ).toContain('not the new one');
  });

  it('shows the result of the evidence check', () => {
    const evidence = {
      compose_hash: 'bb'.repeat(32),
      expected: 'aa'.repeat(32),
      matches: false,
      trust: 'not_verified' as const,
      checked_at: '2026-11-22T09:00:00Z',
      detail: 'Compose hash is the expected one: The measured compose hash is bb, not the expected aa.',
    };
    expect(step({ message: null, evidence })?.detail).toMatch(/^Evidence not verified: Compose hash/);
    expect(
      step({ message: null, evidence: { ...evidence, trust: 'unknown', detail: 'No quote to check.' } })
        ?.detail,
    ).toBe('Evidence not available or incomplete: No quote to check.');
  });
});
