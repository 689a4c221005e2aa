import { describe, expect, it } from 'vitest';
import type { Operation, OperationStep } from '../../../generated/api/types.gen';
import { STEPS, type StepId } from '../../lib/cvms/steps';
import { actionFault, logIsOver, runningSince } from './cvmState';
import { operationSteps } from './operationSteps';

const step = (id: StepId, state: OperationStep['state']): OperationStep => ({
  id,
  name: STEPS[id],
  state,
  detail: null,
  detail_keys: [],
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
  rolls_back: false,
  rolls_back_to: null,
  steps: [],
  error: null,
  cancellable: false,
  not_cancellable_code: null,
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
  it('shows upcoming steps while in progress', () => {
    expect(brief(operation({ state: 'queued' }))).toEqual([
      'Prepare the VM on the host / waiting',
      'Start the VM / waiting',
      'Boot and start the containers / waiting',
    ]);
    const booting = operation({
      steps: [step('prepare', 'done'), step('start', 'done'), step('boot', 'running')],
    });
    expect(brief(booting, 'pulling images').at(-1)).toBe(
      'Boot and start the containers / running / pulling images',
    );
  });

  it('shows only completed steps once finished, and no boot for a stopped CVM', () => {
    const failed = operation({ type: 'restart', state: 'failed', steps: [step('stop', 'failed')] });
    expect(brief(failed)).toEqual(['Stop the VM / failed']);
    const stopped = operation({
      type: 'update',
      target: 'stopped',
      steps: [step('write', 'running')],
    });
    expect(brief(stopped)).toEqual(['Write the new revision / running', 'Stop the VM / waiting']);
  });

  it('shows the name of a step from an earlier server version', () => {
    const old = operation({
      state: 'failed',
      steps: [{ ...step('boot', 'failed'), id: null, name: 'pull images' }],
    });
    expect(brief(old)).toEqual(['pull images / failed']);
  });

  it('predicts no steps after an unexpected one', () => {
    const back = operation({ type: 'update', steps: [step('go_back', 'running')] });
    expect(brief(back)).toEqual(['Roll back to the previous revision / running']);
  });
});

describe('actionFault', () => {
  const cvm = (status: 'running' | 'stopped' | 'error' | 'updating' | 'deleting', in_progress = false) => ({
    status,
    in_progress,
    operation: null,
  });
  it('gives the reason, and allows deleting a stuck CVM', () => {
    expect(actionFault('start', cvm('running'))).toBe('Already running.');
    expect(actionFault('stop', cvm('stopped'))).toBe('It isn’t running.');
    expect(actionFault('start', cvm('error'))).toBeUndefined();
    expect(actionFault('restart', cvm('updating', true))).toContain('in progress');
    expect(actionFault('delete', cvm('updating', true))).toBeUndefined();
    expect(actionFault('delete', cvm('deleting', true))).toBe('Being deleted.');
  });
});

describe('logIsOver', () => {
  it('ends a log only when no more output can follow', () => {
    const over = (
      status: 'stopped' | 'restarting' | 'running' | 'error',
      in_progress = false,
      uptime = '2m',
    ) => logIsOver({ status, in_progress, uptime: status === 'running' ? uptime : null });
    expect(over('stopped')).toBe('The CVM is stopped.');
    expect(over('restarting', true)).toBeNull();
    expect(over('running')).toBeNull();
    expect(over('error')).toBe('The CVM isn’t running.');
    expect(over('error', true)).toBeNull();
    expect(logIsOver({ status: 'error', in_progress: false, uptime: '2m' })).toBeNull();
  });
});

describe('runningSince', () => {
  it('parses the guest’s uptime text', () => {
    expect(runningSince('2h 5m', 10_000_000)).toBe(10_000_000 - 7_500_000);
    expect(runningSince('0s', 5)).toBe(5);
    expect(runningSince(null, 5)).toBeNull();
  });
});
