import { describe, expect, it } from 'vitest';
import type { Operation, OperationStep } from '../../../generated/api/types.gen';
import { actionFault, logIsOver, runningSince } from './cvmState';
import { operationSteps } from './operationSteps';

const step = (name: string, state: OperationStep['state']): OperationStep => ({
  name,
  state,
  detail: null,
  started_at: '2026-01-21T10:00:00Z',
  finished_at: state === 'running' ? null : '2026-01-21T10:00:02Z',
});
const operation = (change: Partial<Operation>): Operation => ({
  correlation_id: 'c',
  type: 'deploy',
  state: 'running',
  target: 'running',
  cvm: null,
  requested_by: null,
  reason: null,
  revision: null,
  rollout_id: null,
  steps: [],
  error: null,
  cancellable: false,
  not_cancellable_reason: null,
  cancel_requested_at: null,
  cancelled_by: null,
  created_at: '2026-01-21T10:00:00Z',
  started_at: null,
  finished_at: null,
  deadline_at: '2026-01-21T10:15:00Z',
  ...change,
});
const brief = (one: Operation, boot?: string) =>
  operationSteps(one, boot).map(({ label, state, detail }) =>
    [label, state, ...(detail ? [detail] : [])].join(' / '),
  );

describe('operationSteps', () => {
  it('shows what is still to come while it goes on', () => {
    expect(brief(operation({ state: 'queued' }))).toEqual([
      'Prepare the VM on the host / waiting',
      'Start the VM / waiting',
      'Boot and start the containers / waiting',
    ]);
    const booting = operation({
      steps: [step('prepare the VM on the host', 'done'), step('start', 'done'), step('boot', 'running')],
    });
    expect(brief(booting, 'pulling images').at(-1)).toBe(
      'Boot and start the containers / running / pulling images',
    );
  });

  it('shows only what happened once it has ended, and no boot for what stays stopped', () => {
    const failed = operation({ type: 'restart', state: 'failed', steps: [step('stop', 'failed')] });
    expect(brief(failed)).toEqual(['Stop the VM / failed']);
    const stopped = operation({
      type: 'update',
      target: 'stopped',
      steps: [step('write the new revision', 'running')],
    });
    expect(brief(stopped)).toEqual(['Write the new revision / running', 'Stop the VM / waiting']);
  });

  it('expects nothing it does not know after an unusual step', () => {
    const back = operation({ type: 'update', steps: [step('go back to the previous revision', 'running')] });
    expect(brief(back)).toEqual(['Go back to the previous revision / running']);
  });
});

describe('actionFault', () => {
  const cvm = (status: 'running' | 'stopped' | 'error' | 'updating' | 'deleting', in_progress = false) => ({
    status,
    in_progress,
    operation: null,
  });
  it('says why not, and lets one delete what is stuck', () => {
    expect(actionFault('start', cvm('running'))).toBe('It runs already.');
    expect(actionFault('stop', cvm('stopped'))).toBe('It is stopped.');
    expect(actionFault('start', cvm('error'))).toBeUndefined();
    expect(actionFault('restart', cvm('updating', true))).toContain('Wait until');
    expect(actionFault('delete', cvm('updating', true))).toBeUndefined();
    expect(actionFault('delete', cvm('deleting', true))).toBe('It is being deleted.');
  });
});

describe('logIsOver', () => {
  it('ends a log only when nothing more can come', () => {
    expect(logIsOver({ status: 'stopped', in_progress: false })).toBe('The CVM is stopped.');
    expect(logIsOver({ status: 'restarting', in_progress: true })).toBeNull();
    expect(logIsOver({ status: 'running', in_progress: false })).toBeNull();
  });
});

describe('runningSince', () => {
  it('reads the guest’s words for a time', () => {
    expect(runningSince('2h 5m', 10_000_000)).toBe(10_000_000 - 7_500_000);
    expect(runningSince('0s', 5)).toBe(5);
    expect(runningSince(null, 5)).toBeNull();
  });
});
