import { describe, expect, it } from 'vitest';
import { allowedActions, blockedReason, canGiveUp } from './allowedActions';

const cvm = (status: Parameters<typeof blockedReason>[1]['status'], in_progress = false) => ({
  status,
  in_progress,
});

describe('blockedReason', () => {
  it('offers only actions that would change something', () => {
    expect(blockedReason('start', cvm('running'))).toBe('already_running');
    expect(blockedReason('start', cvm('error'))).toBeUndefined();
    expect(blockedReason('stop', cvm('stopped'))).toBe('not_running');
    expect(blockedReason('restart', cvm('stopped'))).toBe('not_running');
    expect(blockedReason('stop', cvm('error'))).toBeUndefined();
    expect(blockedReason('update', cvm('stopped'))).toBeUndefined();
  });

  it('waits for the operation in progress, except to delete', () => {
    expect(blockedReason('restart', cvm('updating', true))).toBe('busy');
    expect(blockedReason('delete', cvm('updating', true))).toBeUndefined();
    expect(blockedReason('delete', cvm('deleting', true))).toBe('being_deleted');
    expect(blockedReason('start', cvm('deleted'))).toBe('being_deleted');
  });

  it('offers only deleting or giving up a lost CVM', () => {
    for (const type of ['start', 'stop', 'restart', 'update', 'resize', 'move'] as const)
      expect(blockedReason(type, cvm('lost'))).toBe('lost');
    expect(blockedReason('delete', cvm('lost'))).toBeUndefined();
    expect([canGiveUp(cvm('lost')), canGiveUp(cvm('lost', true)), canGiveUp(cvm('error'))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('never blocks an action the server would start, except as a no-op', () => {
    for (const [type, { from, idle }] of Object.entries(allowedActions))
      for (const status of from)
        expect(blockedReason(type as keyof typeof allowedActions, cvm(status))).toBe(idle?.[status]);
  });
});
